/*
 * Overlap QUEUE: occurrences of one job, one after the other, in their order. What is due while another executes or is to come before it waits,
 * and whoever takes a task out of its way wakes it in the same transaction: `wake` is policy.WakeDecision. A task is out of the way when it has
 * ended, when its loss could not be recorded, and when no node may run it or its row cannot be written as it is to start. Somebody looks at it
 * again at some time, here not before the others have ended.
 */

byte made = 1;                      /* occurrences whose time has come */
bool queued[TASKS];                 /* has waited */
bool stuck[TASKS];                  /* waits for a node, or was set aside when it was to start */
bool was_stuck[TASKS];

#define SAME_JOB(a, b) true
#define IS_MADE(k) (k < made)
#define MAY_RECOVER(k) true
#define IS_COMING(m) (IS_MADE(m) && (state[m] == IDLE || state[m] == PREPARED) && !aside[m] && !stuck[m])
#define MAY_BE_ENDLESS(k) false
#define NOTHING_TO_WAIT_FOR (made < TASKS)
#define REQUESTED(i) 0

hidden byte first;
hidden byte in_turn;
hidden mtype verdict;

inline decide(s, k) {
    d_step {
        verdict = STARTS;
        for (m : 0 .. TASKS - 1) { verdict = (m != k && (state[m] == EXECUTING || (m < k && IS_COMING(m))) -> HOLDS : verdict) };
        m = 0 };
    if
    :: decision = verdict
    :: gets_stuck && !was_stuck[k] -> was_stuck[k] = true; stuck[k] = true; decision = HOLDS
    fi;
    queued[k] = queued[k] || decision == HOLDS
}

inline starts(k, l) { skip }

/*
 * The earliest that has waited, if it still does: otherwise it is on its way, and wakes the next when it leaves. Nobody, while a task executes,
 * or while a further attempt at an earlier occurrence is to come.
 */
inline wake() {
    d_step {
        first = TASKS; in_turn = true;
        for (m : 0 .. TASKS - 1) {
            first = (queued[m] && IS_COMING(m) && (first == TASKS || wakes_latest) -> m : first);
            in_turn = in_turn && state[m] != EXECUTING
        };
        for (m : 0 .. TASKS - 1) {
            in_turn = in_turn && !(m < first && attempt[m] > 1 && IS_COMING(m));
            held[m] = held[m] && !(in_turn && m == first && !waiter_not_woken)
        };
        m = 0; first = 0 }
}

inline lets_by(k) {
    if
    :: stuck[k] && !stuck_unheard -> wake()
    :: else -> skip
    fi
}

/* The end has just woken it. */
#define FOLLOWS(m) (TO_BE_PREPARED(m) && queued[m])

inline leaves(k, l, how) { skip }
inline forget_replacement(k) { skip }
inline forget_requests(d) { skip }
inline command_started() { skip }
inline count_ahead(s) { skip }
inline policy_holds() { skip }

#define IS_PAST(m) (state[m] == HISTORY || stuck[m])

/* For two or three tasks: a condition to wait for has to be one expression. */
proctype looks_again(byte s; byte k) {
    do
    :: atomic { REACHES(s) && stuck[k] && made == TASKS && IS_PAST(0) && IS_PAST(1) && IS_PAST(TASKS - 1) -> stuck[k] = false; held[k] = false }
    od
}

active proctype schedule() {
    do
    :: atomic { made < TASKS -> made++; FAULT }
    od
}

inline run_policy(s) { for (i : 0 .. TASKS - 1) { run looks_again(s, i); run asides(s, i) }; i = 0 }
