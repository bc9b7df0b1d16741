/*
 * Several servers that take writes, as the members of a Galera cluster or of a replication group in multi-primary mode: each node has a member
 * of its own. switches.pml explains the switches.
 *
 * - A transaction is two steps: it locks and reads on its member, which may lag behind, and commits. A lock holds on that member alone.
 * - All commits are in one order. A transaction does not commit that has changed a row which one before it has changed, unless its member knew
 *   of that when it began: the first committer wins. What it has only locked, or read, is not compared.
 * - When a member makes the changes of another its own, it undoes whatever has locked one of those rows. So a lock is worth something after
 *   all, but only while both are under way.
 * - What was undone is decided again; a list that was read before the transaction stays as it was read.
 *
 * Two tasks, and only one of them may execute: they are of one job, or of two jobs in a group with a limit of 1. A freeze covers both.
 */

#include "switches.pml"

#define JOB 0
#define GROUP 1
#ifndef SHARED
#define SHARED JOB
#endif
#define NODES 2
#define TASKS 2
#define NOBODY NODES

/* Who has transactions: node 0 on member 0 and node 1 on member 1, and two people who ask those nodes. */
#define DRAINER 2                   /* or who ends a freeze */
#define UNDRAINER 3                 /* or who makes one */
#define WHO 4
#define MEMBER(t) (((t) == 0 || (t) == UNDRAINER) -> 0 : 1)
#define BESIDE(t) (3 - (t))         /* on the same member */

/* Rows. */
#define STRIPES 3
#define TASK(k) (4 << (k))
#define SESSION 16                  /* of node 0; nobody drains or expires node 1 */
#if SHARED == GROUP
#define STRIPE(k) (1 << (k))
#define LIMIT 32                    /* of the group */
#else
#define STRIPE(k) 1
#define LIMIT 0                     /* there is no group */
#endif
#define FREEZE 64

mtype = { IDLE, PREPARED, EXECUTING };              /* what has ended is the next occurrence, which is idle */
mtype = { STARTS, WAITS, RETURNS, FREEZES };        /* what becomes of a task that is fired */

/* ---- What each member shows ---- */
mtype state[2 * TASKS] = IDLE;
byte launch[2 * TASKS];
byte owner[2 * TASKS] = NOBODY;
bool held[2 * TASKS];               /* idle, and waits to be woken by the end of the other */
bool drained[2];
bool there[2] = true;               /* the session of node 0 */
bool frozen[2];                     /* the freeze is in force */
bool lets_go[2];                    /* it has been ended, and what it held is still to be woken */
bool parked[2 * TASKS];             /* idle, and waits to be woken after the freeze */
byte unseen[2];                     /* rows that the other member has changed, and this one does not show yet. At most one of them lags. */

#define IN(m, k) ((m) * TASKS + (k))
#define NOW(k) IN((unseen[0] -> 1 : 0), k)

/* ---- Transactions ---- */
byte locks[WHO];                    /* rows that it has locked or changed; it is under way if there are any */
byte changes[WHO];
bool undone[WHO];

/* ---- The memory of nodes, and their commands ---- */
#define AT(s, k) ((s) * TASKS + (k))
bool trusted = true;                /* node 0 trusts its session */
bool known_frozen[NODES];           /* what it knows of the freeze, */
bool stale[NODES];                  /* which is not of the number that its member shows on the stripes */
byte executing[NODES * TASKS];      /* launch ids */
bool waiting[NODES * TASKS];        /* in the hands of the launcher */
bool command[NODES * TASKS];        /* alive */
bool ended[NODES * TASKS];
byte listed[TASKS];                 /* launch ids: what was prepared when the drainer read it */

bool begun[TASKS];                  /* seen only by the properties: the command of this attempt was started */

hidden byte i, id, here, rows, locking, changing;
hidden int used;
hidden byte committed;
hidden byte alone, has_session, is_asked_for, runs, says_so, waits_for_nothing, thawed, held_for_nothing;

/* ------------------------------------------------ the cluster ------------------------------------------------ */

/* Member m makes the changes of the other one its own. */
inline apply(m) {
    d_step {
        for (i : 0 .. WHO - 1) { undone[i] = undone[i] || (MEMBER(i) == m && (locks[i] & unseen[m]) != 0) };
        if
        :: unseen[m] != 0 ->
            for (i : 0 .. TASKS - 1) {
                state[IN(m, i)] = state[IN(1 - m, i)];
                launch[IN(m, i)] = launch[IN(1 - m, i)];
                owner[IN(m, i)] = owner[IN(1 - m, i)];
                held[IN(m, i)] = held[IN(1 - m, i)];
                parked[IN(m, i)] = parked[IN(1 - m, i)]
            };
            drained[m] = drained[1 - m]; there[m] = there[1 - m];
            stale[m] = stale[m] || frozen[m] != frozen[1 - m];
            frozen[m] = frozen[1 - m]; lets_go[m] = lets_go[1 - m];
            unseen[m] = 0
        :: else -> skip
        fi;
        i = 0 }
}

active proctype replication() {
    do
    :: atomic { unseen[0] != 0 -> apply(0) }
    :: atomic { unseen[1] != 0 -> apply(1) }
    od
}

/* Nobody beside it has locked these rows. */
#define FREE(t, locked) (!locks[t] && (locks[BESIDE(t)] & (locked)) == 0)

/* With the rows in `locking` and `changing`: an argument of an inline must not have operators of two characters. */
inline begin(t) { changes[t] = changing; locks[t] = locking | changing }

/* Sets `committed`, `rows` that were changed, and `here`, the member that shows them from now on. */
inline commit(t) {
    here = MEMBER(t);
    rows = changes[t];
    committed = !undone[t] && (unseen[here] & rows) == 0;
    locks[t] = 0; changes[t] = 0; undone[t] = false;
    if
    :: committed -> apply(here); unseen[1 - here] = unseen[1 - here] | rows
    :: else -> skip
    fi
}

inline write(task, what, under, whose) {
    state[IN(here, task)] = what; launch[IN(here, task)] = under; owner[IN(here, task)] = whose;
    held[IN(here, task)] = false; parked[IN(here, task)] = false
}

inline to_idle(k) { write(k, IDLE, 0, NOBODY) }

/* That nobody remembers of this task. */
inline fresh_launch(k) {
    d_step {
        used = 1 << listed[k];
        for (i : 0 .. 1) { used = used | (1 << launch[IN(i, k)]) | (1 << executing[AT(i, k)]) };
        id = 1;
        do
        :: used & (1 << id) -> id++
        :: else -> break
        od;
        i = 0; used = 0 }
}

/* What changes who may start what: it has all lock rows. */
#define ALL (all_only_locked -> 0 : STRIPES)

/* ------------------------------------------------ tasks ------------------------------------------------ */

#define HAS_SESSION(s, m) ((s) == 1 || there[m])
#define TRUSTS(s) ((s) == 1 || trusted)
#define MAY_ACT(s) (TRUSTS(s) && HAS_SESSION(s, s))
#define IS_DRAINED(s, m) ((s) == 0 && drained[m])

#define MAY_FIRE(s, k) (state[IN(s, k)] == PREPARED && (owner[IN(s, k)] == (s) || !IS_DRAINED(s, s)))

#define STARTED(k) (TASK(k) | (start_only_locks -> 0 : STRIPE(k)))
/* What is held, or recorded, changes the row of its stripe as well. */
#define GUARDED(k) (TASK(k) | (holds_only_lock -> 0 : STRIPE(k)))
#define COUNTED (limit_only_locked -> 0 : LIMIT)

/* Whoever has locked stripes knows the freeze as of their number. */
inline read_freeze(s) {
    d_step {
        if
        :: stale[s] && !freeze_remembered -> known_frozen[s] = frozen[s]; stale[s] = false
        :: else -> skip
        fi }
}

/* No other one executes, nothing is frozen, and the task has a session, on which nobody has asked that it takes nothing more. */
inline check_start(s, k) {
    alone = state[IN(here, 1 - k)] != EXECUTING;
    has_session = HAS_SESSION(s, here);
    is_asked_for = !IS_DRAINED(s, here);
    thawed = !frozen[here];
    assert(alone);
    assert(thawed);
    assert(has_session);
    assert(is_asked_for || late_starts)
}

/* What waits for the freeze does so while that is in force, or is woken yet. */
inline check_parked() {
    held_for_nothing = !frozen[here] && !lets_go[here] && (parked[IN(here, 0)] || parked[IN(here, 1)]);
    assert(!held_for_nothing)
}

/* Of two tasks, the one that waits does so for the other. */
inline check_waiting() {
    waits_for_nothing = (held[IN(here, 0)] && state[IN(here, 1)] != EXECUTING) || (held[IN(here, 1)] && state[IN(here, 0)] != EXECUTING);
    assert(!waits_for_nothing)
}

#define IS_RUNNING(s, k) (state[IN(s, k)] == EXECUTING && launch[IN(s, k)] == executing[AT(s, k)])

inline forget(s, k) { executing[AT(s, k)] = 0; ended[AT(s, k)] = false }

inline start(s, k) {
    check_start(s, k);
    if
    :: owner[IN(here, k)] == s -> id = launch[IN(here, k)]
    :: else -> fresh_launch(k)
    fi;
    write(k, EXECUTING, id, s);
    executing[AT(s, k)] = (TRUSTS(s) -> id : 0);
    waiting[AT(s, k)] = TRUSTS(s)
}

proctype scheduler(byte s; byte k) {
    mtype becomes;
    do
    /* Prepare. What does not depend on the other task is one step: it only conflicts with what changes the same task. */
    :: atomic { MAY_ACT(s) && state[IN(s, k)] == IDLE && !held[IN(s, k)] && !parked[IN(s, k)] && !executing[AT(s, k)] && FREE(s, STRIPE(k)) ->
            locking = STRIPE(k); changing = TASK(k); begin(s); commit(s);
            if
            :: committed -> fresh_launch(k); write(k, PREPARED, id, s)
            :: else -> skip
            fi }

    /* Fire, or take over. A task that may not execute beside the other is skipped, or waits for it. */
    :: atomic { MAY_ACT(s) && MAY_FIRE(s, k) && !executing[AT(s, k)] && FREE(s, STRIPE(k) | LIMIT) ->
            read_freeze(s);
            becomes = (IS_DRAINED(s, s) -> RETURNS : (known_frozen[s] -> FREEZES : (state[IN(s, 1 - k)] == EXECUTING -> WAITS : STARTS)));
            locking = STRIPE(k) | LIMIT;
            changing = (becomes == STARTS -> STARTED(k) : GUARDED(k)) | (becomes == RETURNS -> 0 : COUNTED);
            begin(s) };
        atomic {
            commit(s);
            if
            :: committed && becomes == STARTS -> start(s, k)
            :: committed && becomes == WAITS -> to_idle(k); held[IN(here, k)] = queues; check_waiting()
            :: committed && becomes == FREEZES -> to_idle(k); parked[IN(here, k)] = true; check_parked()
            :: committed && becomes == RETURNS -> runs = begun[k]; assert(!runs); to_idle(k)
            :: else -> skip
            fi;
            becomes = 0 }

    /* Record what has ended, if the row still is that of the launch, and wake what waits for it. */
    :: atomic { ended[AT(s, k)] && FREE(s, STRIPE(k)) && IS_RUNNING(s, k) ->
            locking = STRIPE(k); changing = GUARDED(k) | (held[IN(s, 1 - k)] -> TASK(1 - k) : 0); begin(s); commit(s);
            if
            :: committed ->
                to_idle(k); begun[k] = false; forget(s, k);
                held[IN(here, 1 - k)] = held[IN(here, 1 - k)] && !(rows & TASK(1 - k));
                check_waiting()
            :: else -> skip
            fi }
    :: atomic { ended[AT(s, k)] && !locks[s] && !IS_RUNNING(s, k) -> assert(expires); forget(s, k) }
    od
}

proctype launcher(byte s; byte k) {
    do
    :: atomic { waiting[AT(s, k)] && TRUSTS(s) ->
            says_so = state[NOW(k)] == EXECUTING && launch[NOW(k)] == executing[AT(s, k)];
            alone = !command[0] && !command[1] && !command[2] && !command[3];
            assert(says_so);
            assert(!begun[k]);
            assert(alone);
            waiting[AT(s, k)] = false; command[AT(s, k)] = true; begun[k] = true }
    :: atomic { command[AT(s, k)] -> command[AT(s, k)] = false; ended[AT(s, k)] = true }
    od
}

/* ------------------------------------------------ the session of node 0 ------------------------------------------------ */

/* What it leaves behind, as far as it was found: what executes is lost, and there is another attempt; the rest is given back. */
#define HELD_BY_IT(m, k) (owner[IN(m, k)] == 0 -> TASK(k) : 0)
#define LEFT_BEHIND(m) (HELD_BY_IT(m, 0) | HELD_BY_IT(m, 1))

inline end_session() {
    for (i : 0 .. TASKS - 1) {
        if
        :: rows & TASK(i) -> to_idle(i); begun[i] = false
        :: else -> skip
        fi;
        has_session = state[IN(here, i)] != EXECUTING || owner[IN(here, i)] != 0;
        assert(has_session)
    };
    i = 0
}

/* Others expire it only when the fence has killed its commands: that is what protocol.pml is about. */
proctype session() {
    do
    :: d_step { expires && trusted -> trusted = false;
            for (i : 0 .. TASKS - 1) { forget(0, i); waiting[i] = false; command[i] = false };
            i = 0 }
    :: atomic { !trusted && FREE(0, STRIPES) ->
            locking = STRIPES; changing = ALL | SESSION | LEFT_BEHIND(0); begin(0) };
        atomic {
            commit(0);
            if
            :: committed -> end_session(); there[here] = true; trusted = true
            :: else -> skip
            fi }
    od
}

proctype expiry() {
    do
    :: atomic { !trusted && there[1] && FREE(1, STRIPES) ->
            locking = STRIPES; changing = ALL | SESSION | LEFT_BEHIND(1); begin(1) };
        atomic {
            commit(1);
            if
            :: committed -> end_session(); there[here] = false
            :: else -> skip
            fi }
    od
}

/* ------------------------------------------------ people ------------------------------------------------ */

#define IS_AS_LISTED(k) (state[IN(1, k)] == PREPARED || (state[IN(1, k)] == EXECUTING && released_in_any_state))
#define GIVEN_BACK(k) ((listed[k] && launch[IN(1, k)] == listed[k] && IS_AS_LISTED(k)) -> TASK(k) : 0)

/* Drains node 0, by asking the other one. What node 0 had prepared is read after that, without a lock, and given back. */
proctype drainer() {
again:
    atomic { drains && !drained[1] && FREE(DRAINER, STRIPES) ->
        locking = STRIPES; changing = ALL | SESSION; begin(DRAINER) };
    atomic {
        commit(DRAINER);
        if
        :: committed -> drained[here] = true
        :: else -> goto again
        fi };
    d_step {
        for (i : 0 .. TASKS - 1) { listed[i] = (state[IN(1, i)] == PREPARED && owner[IN(1, i)] == 0 -> launch[IN(1, i)] : 0) };
        i = 0 };
give_back:
    atomic { FREE(DRAINER, STRIPES) -> locking = STRIPES; changing = GIVEN_BACK(0) | GIVEN_BACK(1); begin(DRAINER) };
    atomic {
        commit(DRAINER);
        if
        :: committed -> skip
        :: else -> goto give_back
        fi;
        for (i : 0 .. TASKS - 1) {
            if
            :: rows & TASK(i) -> runs = begun[i]; assert(!runs); to_idle(i)
            :: else -> skip
            fi;
            listed[i] = 0
        };
        i = 0;
        goto again }
}

proctype undrainer() {
    do
    :: atomic { undrains && drained[0] && FREE(UNDRAINER, STRIPES) ->
            locking = STRIPES; changing = ALL | SESSION; begin(UNDRAINER) };
        atomic {
            commit(UNDRAINER);
            if
            :: committed -> drained[here] = false
            :: else -> skip
            fi }
    od
}

/* ------------------------------------------------ the freeze ------------------------------------------------ */

proctype freezer() {
    do
    :: atomic { !frozen[0] && !lets_go[0] && FREE(UNDRAINER, STRIPES) ->
            locking = STRIPES; changing = ALL | FREEZE; begin(UNDRAINER) };
        atomic {
            commit(UNDRAINER);
            if
            :: committed -> frozen[here] = true; stale[here] = true
            :: else -> skip
            fi }
    od
}

proctype thawer() {
    do
    :: atomic { frozen[1] && FREE(DRAINER, STRIPES) ->
            locking = STRIPES; changing = ALL | FREEZE; begin(DRAINER) };
        atomic {
            commit(DRAINER);
            if
            :: committed -> frozen[here] = false; lets_go[here] = true; stale[here] = true
            :: else -> skip
            fi }
    od
}

#define PARKED(k) (parked[IN(1, k)] -> TASK(k) : 0)

/* Node 1 reads what the freeze held without a lock, wakes it, and notes that all of it is woken. */
proctype waker() {
    byte found;
again:
    atomic { lets_go[1] -> found = PARKED(0) | PARKED(1) };
wake:
    atomic { FREE(1, STRIPES) -> locking = STRIPES; changing = found; begin(1) };
    atomic {
        commit(1);
        if
        :: committed -> skip
        :: else -> goto wake
        fi;
        for (i : 0 .. TASKS - 1) { parked[IN(here, i)] = parked[IN(here, i)] && !(rows & TASK(i)) };
        i = 0 };
note:
    atomic { FREE(1, FREEZE) -> locking = 0; changing = FREEZE; begin(1) };
    atomic {
        commit(1);
        if
        :: committed -> lets_go[here] = false; check_parked()
        :: else -> goto note
        fi;
        found = 0;
        goto again }
}

init {
    atomic {
        byte s, k;
        read_switches();
        for (s : 0 .. NODES - 1) {
            for (k : 0 .. TASKS - 1) { run scheduler(s, k); run launcher(s, k) }
        };
        if
        :: expires -> run session(); run expiry()
        :: else -> skip
        fi;
        if
        :: drains -> run drainer(); run undrainer()
        :: freezes -> run freezer(); run thawer(); run waker()
        :: else -> skip
        fi;
        s = 0; k = 0 }
}
