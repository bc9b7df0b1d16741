/*
 * The cursor: the fire times 1 .. FIRE_TIMES of one job. Its cursor is a row of its own, which names the next fire time; a task has a row from
 * when it is prepared. Only the step that moves the cursor makes the rows of what it passes. switches.pml explains the switches.
 *
 * A scan reads without locks and proposes; the transaction moves the cursor under the lock row, and only from where the scan saw it, in the
 * version of the job that the scan saw. Version 1 of the schedule does not ask for fire time SKIPPED.
 */

#include "switches.pml"

#ifndef FIRE_TIMES
#define FIRE_TIMES 4
#endif
#ifndef NODES
#define NODES 2
#endif
#define END (FIRE_TIMES + 1)        /* the cursor gets there, and no further */
#define SKIPPED 2

mtype = { NONE, IDLE, PREPARED, EXECUTING, HISTORY };
mtype state[FIRE_TIMES + 2] = NONE;
byte cursor;                        /* the fire time of the cursor */
bit version;
byte edits;
byte now;                           /* fire times up to it are overdue: misfires, unless they are executing */

bool made[FIRE_TIMES + 2];          /* seen only by the properties */
bool missed[FIRE_TIMES + 2];        /* within an aggregated row of history */
bool withdrawn[FIRE_TIMES + 2];     /* an edit has taken it back, or the version that was in force did not ask for it */

hidden byte i, passed;

#define ASKS(v, t) (!(v) || (t) != SKIPPED)

inline make(t, as) {
    assert(!made[t]);
    made[t] = true;
    state[t] = as
}

inline the_chain_is_whole() {
    d_step {
        passed = true;
        for (i : 1 .. cursor - 1) { passed = passed && (made[i] || missed[i] || withdrawn[i]) };
        assert(passed);
        assert(ASKS(version, cursor));
        i = 0 }
}

/* The fire time after t, by the version that a plan goes by. */
inline following(v, t, to) {
    to = t + 1;
    if
    :: !ASKS(v, to) -> to++
    :: else
    fi
}

/* What lies between two fire times of one version was asked for by the other. */
inline leave_out(t, to) { for (i : t + 1 .. to - 1) { withdrawn[i] = true } }

#define STANDS_WHERE_SEEN ((cursor_not_guarded || cursor == seen) && (edit_not_seen || version == in_version))

proctype node() {
    byte seen, next, second, latest;
    bit in_version;
again:
    seen = 0; next = 0; second = 0; latest = 0; in_version = 0;
    do
    /* Prepare the cursor's fire time: plan, then one transaction. With it comes the one after it, if that lies within the horizon; or, behind one
       that is late, those that are due are skipped in one row of history. */
    :: atomic { cursor < END ->
            seen = cursor; in_version = version;
            following(in_version, seen, next);
            if
            :: next < END -> second = next; following(in_version, second, next)
            :: seen < now -> latest = now
            :: true
            fi };
        atomic {
            if
            :: STANDS_WHERE_SEEN ->
                if
                :: !cursor_without_row -> make(seen, PREPARED)
                :: else
                fi;
                if
                :: second -> leave_out(seen, second); make(second, PREPARED); leave_out(second, next)
                :: latest ->
                    for (i : seen + 1 .. latest) { missed[i] = true };
                    following(in_version, latest, next)
                :: else -> leave_out(seen, next)
                fi;
                if
                :: !row_without_cursor -> cursor = next
                :: else
                fi
            :: else
            fi;
            the_chain_is_whole();
            goto again }

    /* Misfires: the overdue fire times up to the latest become one run, that of the latest, and one row of history. */
    :: atomic { cursor < now ->
            seen = cursor; in_version = version;
            latest = now;
            if
            :: !ASKS(in_version, latest) -> latest--
            :: else
            fi;
            following(in_version, latest, next) };
        atomic {
            if
            :: STANDS_WHERE_SEEN ->
                for (i : seen .. latest - 1) { missed[i] = true };
                make(latest, IDLE);
                leave_out(latest, next);
                cursor = next
            :: else
            fi;
            the_chain_is_whole();
            goto again }

    /* A row that waits: nothing of this touches the cursor. */
    :: atomic {
            seen = 1;
            do :: seen < FIRE_TIMES -> seen++ :: break od;
            if
            :: state[seen] == IDLE -> state[seen] = PREPARED
            :: else
            fi;
            goto again }
    od
}

/* What else happens to rows, and edits, which move the cursor where the new version has no occurrence. */
active proctype others() {
    byte t;
    do
    :: atomic {
            t = 1;
            do :: t < FIRE_TIMES -> t++ :: break od;
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
    :: atomic { edits < 2 ->
            edits++;
            version = 1 - version;
            if
            :: !ASKS(version, cursor) -> withdrawn[cursor] = true; cursor++
            :: else
            fi;
            the_chain_is_whole() }
    od
}

init {
    atomic {
        byte n;
        read_switches();
        cursor = 1;
        for (n : 1 .. NODES) { run node() };
        n = 0 }
}
