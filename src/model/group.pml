/*
 * A group: at most `limit` of its tasks execute. A slot is a row that carries the launch id of the task it is for. Firing takes the group's lock
 * row, counts, and inserts its slot; every way out of EXECUTING deletes it, in the same transaction. What finds no slot is held, and woken by
 * whoever sees in the table that a slot is free and a task waits for one: not by who freed it, which may be dead by then.
 */

#ifndef LIMIT
#define LIMIT 1
#endif

byte slot[TASKS];                   /* launch id; 0: there is no row */
byte limit = LIMIT;
byte counted[NODES];                /* counted_without_lock: how many slots were taken when the node last counted */

byte limit_then = LIMIT;            /* seen only by the properties: the limit that the last start was allowed by */

#define SAME_JOB(a, b) ((a) == (b))
#define IS_MADE(k) true
#define MAY_RECOVER(k) true
#define MAY_BE_ENDLESS(k) false
#define NOTHING_TO_WAIT_FOR (limit == 0)
#define REQUESTED(i) 0

/* For two or three tasks: a condition to wait for has to be one expression. */
#define TAKEN ((slot[0] != 0) + (slot[1] != 0) + (TASKS > 2 && slot[TASKS - 1] != 0))

hidden byte taken;

inline count_ahead(s) { counted[s] = (counted_without_lock -> TAKEN : 0) }

inline decide(s, k) {
    decision = ((counted_without_lock -> counted[s] : TAKEN) < limit -> STARTS : HOLDS)
}

inline starts(k, l) {
    limit_then = limit;
    slot[k] = l;
    no_more_execute_than_may()
}

#define KEPT(how) ((how == FINISH && slot_kept_by_finish) || (how == EXPIRY && slot_kept_by_expiry) || (how == RESET && slot_kept_by_reset))

/* The launch id is compared: a result that comes too late must not free the slot of who executes now. */
inline leaves(k, l, how) { slot[k] = ((slot[k] == l || slot_of_another) && !KEPT(how) -> 0 : slot[k]) }

inline no_more_execute_than_may() {
    taken = 0;
    for (m : 0 .. TASKS - 1) { taken = taken + (state[m] == EXECUTING) };
    assert(taken <= limit_then)
}

/* Each command counts, also one that is alive beside another of its task. */
inline command_started() {
    taken = 0;
    for (m : 0 .. NODES * TASKS - 1) { taken = taken + command[m] };
    assert(taken <= limit_then)
}

inline policy_holds() {
    no_more_execute_than_may();
    for (m : 0 .. TASKS - 1) { assert(!slot[m] || (state[m] == EXECUTING && slot[m] == launch[m])) }      /* no slot leaks */
}

/* A free slot, and a task that waits for one. */
#define FOLLOWS(m) (held[m] && TAKEN < limit)

inline wake() { skip }
#define lets_by(k)
inline forget_replacement(k) { skip }
inline forget_requests(d) { skip }

proctype waker(byte s; byte k) {
    do
    :: atomic { REACHES(s) && !waiter_not_woken && held[k] && TAKEN < limit -> held[k] = false }
    od
}

/* Lowered, it kills nothing. */
active proctype group_operator() {
    atomic { limit_changes && up -> limit--; FAULT };
    atomic { up -> limit++; FAULT }
}

inline run_policy(s) { for (i : 0 .. TASKS - 1) { run waker(s, i); run asides(s, i) }; i = 0 }
