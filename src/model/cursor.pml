/*
 * The cursor: the fire times 1 .. FIRE_TIMES of one job, a row for each that was made. Exactly one row carries the cursor; only the step that
 * takes it off a row makes the next row, and gives it the cursor. switches.pml explains the switches.
 *
 * A scan reads without locks and proposes; the transaction looks again, under the lock row, before it writes.
 */

#include "switches.pml"

#ifndef FIRE_TIMES
#define FIRE_TIMES 4
#endif
#ifndef NODES
#define NODES 2
#endif
#define END (FIRE_TIMES + 1)        /* its row is made, so that there is a cursor, and never acquired */

mtype = { NONE, IDLE, PREPARED, EXECUTING, HISTORY };
mtype state[FIRE_TIMES + 2] = NONE;
bool cursor[FIRE_TIMES + 2];
byte now;                           /* fire times up to it are overdue: misfires, unless they are executing */

bool made[FIRE_TIMES + 2];          /* seen only by the properties */
bool missed[FIRE_TIMES + 2];        /* within an aggregated row of history */

hidden byte i, cursors, passed;

inline make(t) {
    assert(!made[t]);
    made[t] = true
}

inline the_chain_is_whole() {
    d_step {
        cursors = 0; passed = true;
        for (i : 1 .. END) {
            passed = passed && (cursors || made[i] || missed[i]);
            cursors = cursors + cursor[i]
        };
        assert(derived || cursors == 1);
        assert(derived || passed);
        i = 0 }
}

/* The cursor goes from t to `next`, which gets a row. */
inline move_cursor(t, next) {
    make(next);
    cursor[t] = false; cursor[next] = true;
    state[next] = IDLE
}

inline choose(t) { t = 1; do :: t < FIRE_TIMES -> t++ :: break od }

#define LOOKS_THE_SAME(t) (state[t] == IDLE && (not_looked_again || cursor[t] == with_cursor))

proctype node() {
    byte t, further, latest;
    bool with_cursor;
again:
    t = 0; further = 0; latest = 0; with_cursor = false;
    do
    /* Acquire: plan, then one transaction. With the cursor come the further fire times within the horizon; or, behind
       one that is late, those that are due are skipped in one row of history. */
    :: atomic {
            choose(t);
            if
            :: state[t] == IDLE -> with_cursor = cursor[t]
            :: else -> t = 0; goto again
            fi;
            if
            :: with_cursor && t < FIRE_TIMES -> further = 1
            :: with_cursor && t < now && !derived -> latest = now
            :: true
            fi };
        atomic {
            if
            :: LOOKS_THE_SAME(t) ->
                state[t] = PREPARED;
                if
                :: derived && (state[t + 1] == NONE || state[t + 1] == HISTORY) -> make(t + 1); state[t + 1] = IDLE
                :: !derived && with_cursor && further -> make(t + 1); move_cursor(t, t + 2); state[t + 1] = PREPARED
                :: !derived && with_cursor && latest ->
                    for (i : t + 1 .. latest) { missed[i] = true };
                    move_cursor(t, latest + 1)
                :: !derived && with_cursor && !further && !latest -> move_cursor(t, t + 1)
                :: else
                fi
            :: else
            fi;
            the_chain_is_whole();
            goto again }

    /* Misfires: the overdue fire times up to the latest become one run, that of the latest, and one row of history. */
    :: atomic {
            choose(t);
            if
            :: t < now && state[t] == IDLE && cursor[t] && !derived -> with_cursor = true; latest = now
            :: else -> t = 0; goto again
            fi };
        atomic {
            if
            :: LOOKS_THE_SAME(t) ->
                for (i : t + 1 .. latest - 1) { missed[i] = true };
                state[t] = HISTORY;
                move_cursor(t, latest)
            :: else
            fi;
            the_chain_is_whole();
            goto again }
    od
}

/* What else happens to rows: none of it touches the cursor. */
active proctype others() {
    byte t;
    do
    :: atomic {
            choose(t);
            if
            :: state[t] == PREPARED -> state[t] = IDLE                    /* release, reset, expiry, edit */
            :: state[t] == PREPARED -> state[t] = EXECUTING               /* fire, takeover */
            :: state[t] == PREPARED && t < now -> state[t] = HISTORY      /* missed, settled with all the others */
            :: state[t] == EXECUTING -> state[t] = IDLE                   /* lost: another attempt at the same fire time */
            :: state[t] == EXECUTING -> state[t] = HISTORY
            :: else
            fi;
            t = 0 }
    :: atomic { now < FIRE_TIMES -> now++ }
    od
}

init {
    atomic {
        byte n;
        read_switches();
        made[1] = true; state[1] = IDLE; cursor[1] = true;
        for (n : 1 .. NODES) { run node() };
        n = 0 }
}
