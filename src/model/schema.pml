/*
 * The lock on the schema: a row that its holder renews. switches.pml explains the switches.
 *
 * Whoever waits looks at the row by changing it. So a look takes place only where a renewal could, and where several servers take writes, only
 * with all renewals before it known. A step of time is the time between renewals: who runs and holds the row renews it in each, unless the
 * database commits nothing. Nodes stand still, and the database stalls, for whole steps.
 */

#include "switches.pml"

#define NODES 2
#ifndef LOOKS
#define LOOKS 3
#endif
#define NOBODY NODES

byte holder = NOBODY;

/* ---- The memory of a node ---- */
bool migrating[NODES];
bool changed[NODES];                /* the row is not as it was at the last look */
byte unchanged[NODES];              /* looks in a row that found it as it was */

bool stalled;                       /* the database answers, and commits nothing */
bool stands[NODES];
bool looked[NODES];                 /* in this step of time */
bool renewed[NODES];

byte frozen[NODES];                 /* seen only by the properties: for how long it has stood still while others could look */
bool excused[NODES];                /* it did so for too long */

hidden byte i;
hidden byte together;

#define COMMITS(s) (!stands[s] && !stalled)
#define WAITS_FOR(s) (!migrating[s] && holder != NOBODY)

inline everybody_sees_a_change() { for (i : 0 .. NODES - 1) { changed[i] = true }; i = 0 }

inline migrate(s) {
    together = false;
    for (i : 0 .. NODES - 1) { together = together || (i != s && migrating[i] && !excused[i]) };
    assert(!together);
    holder = s; migrating[s] = true; unchanged[s] = 0; renewed[s] = true;
    everybody_sees_a_change()
}

proctype node(byte s) {
    do
    :: atomic { COMMITS(s) && !migrating[s] && holder == NOBODY -> migrate(s) }

    :: d_step { (COMMITS(s) || (only_looked && !stands[s])) && WAITS_FOR(s) && !looked[s] ->
            unchanged[s] = (changed[s] -> 0 : (unchanged[s] < LOOKS -> unchanged[s] + 1 : LOOKS));
            changed[s] = false; looked[s] = true }

    /* It may be renewed since that look. */
    :: atomic { COMMITS(s) && WAITS_FOR(s) && (unchanged[s] == LOOKS || taken_at_once) && (!changed[s] || taken_unseen) -> migrate(s) }

    :: atomic { COMMITS(s) && migrating[s] && holder == s && !renewed[s] -> renewed[s] = true; everybody_sees_a_change() }

    :: atomic { COMMITS(s) && migrating[s] -> migrating[s] = false; excused[s] = false;
            if
            :: holder == s -> holder = NOBODY; everybody_sees_a_change()
            :: else -> skip
            fi }
    od
}

#define IS_RENEWED(s) (holder != (s) || !migrating[s] || renewed[s] || !COMMITS(s))

inline next_step(s) {
    frozen[s] = (stalled -> frozen[s] : (stands[s] && migrating[s] -> (frozen[s] < LOOKS - 1 -> frozen[s] + 1 : frozen[s]) : 0));
    excused[s] = migrating[s] && (excused[s] || frozen[s] >= LOOKS - 1);
    looked[s] = false; renewed[s] = false
}

active proctype time() {
    do
    :: atomic { IS_RENEWED(0) && IS_RENEWED(1) ->
            next_step(0); next_step(1);
            if :: stalled = true :: stalled = false fi;
            if :: stands[0] = true :: stands[0] = false fi;
            if :: stands[1] = true :: stands[1] = false fi }
    od
}

init {
    atomic {
        byte s;
        read_switches();
        for (s : 0 .. NODES - 1) { run node(s) };
        s = 0 }
}
