/*
 * Overlap REPLACE: the tasks are occurrences of one job, made one after the other. What is due while the job executes marks what executes, asks
 * its session for the kill, and waits; the end of the victim starts it. The request stands until the command is killed, or the session no
 * longer holds the launch: the start may not have been answered yet. An earlier occurrence yields to a later one that waits or executes.
 */

byte made = 1;                      /* occurrences whose time has come */
byte replaced[TASKS];               /* 1 + the occurrence that replaced it first */
bool queued[TASKS];                 /* has waited for another */
byte request[NODES * TASKS];        /* the launch id that this session is asked to kill */

#define SAME_JOB(a, b) true
#define IS_MADE(k) (k < made)
#define MAY_RECOVER(k) (!replaced[k] || replaced_recovered)
#define IS_COMING(m) ((state[m] == IDLE || state[m] == PREPARED) && !aside[m])
#define MAY_BE_ENDLESS(k) ((k < 1 && IS_COMING(1)) || (k < TASKS - 1 && IS_COMING(TASKS - 1)))      /* something will replace it */
#define NOTHING_TO_WAIT_FOR (made < TASKS)
#define REQUESTED(i) request[i]

#define IS_QUEUED(k) (queued[k] && IS_COMING(k))
#define YIELDS(k) (!only_recoveries_yield || attempt[k] > 1)

hidden byte found;
hidden mtype verdict;

/* What is asked was asked for good: the first that replaces it stands in history. */
inline replace_with(v, k) {
    assert(v < k);                                                       /* no earlier occurrence replaces a later one */
    if
    :: replaced[v] -> skip
    :: else -> replaced[v] = k + 1; request[AT(owner[v], v)] = launch[v]
    fi
}

inline skip_earlier(k) {
    for (m : 0 .. TASKS - 1) {
        if
        :: m < k && IS_QUEUED(m) && !older_waiter_stays -> to_history(m); held[m] = false
        :: else -> skip
        fi
    }
}

inline decide(s, k) {
    d_step {
        assert(!replaced[k]);                                            /* what was replaced does not run again */
        verdict = STARTS;
        for (m : 0 .. TASKS - 1) { verdict = (YIELDS(k) && m > k && (state[m] == EXECUTING || IS_QUEUED(m)) -> SKIPS : verdict) };
        if
        :: verdict == STARTS ->
            skip_earlier(k);
            for (m : 0 .. TASKS - 1) {
                if
                :: state[m] == EXECUTING -> replace_with(m, k); verdict = (started_at_request -> STARTS : HOLDS)
                :: else -> skip
                fi
            };
            for (m : 0 .. TASKS - 1) { assert(verdict == STARTS || m == k || !held[m]) };      /* only one waits, the latest */
            queued[k] = queued[k] || verdict == HOLDS
        :: else -> skip
        fi;
        m = 0 };
    decision = verdict
}

inline starts(k, l) { skip }

/* The end has just woken it. */
#define FOLLOWS(m) (TO_BE_PREPARED(m) && queued[m])

/* After every end: the earliest that waits, unless something executes. */
inline wake() {
    d_step {
        found = false;
        for (m : 0 .. TASKS - 1) { found = found || state[m] == EXECUTING };
        for (m : 0 .. TASKS - 1) {
            if
            :: !found && held[m] -> found = true; held[m] = waiter_not_woken
            :: else -> skip
            fi
        };
        m = 0 }
}

#define lets_by(k)

/* It was not started, so nothing of it was replaced. */
inline forget_replacement(k) { replaced[k] = (mark_kept -> replaced[k] : 0) }

inline forget_requests(d) { for (m : 0 .. TASKS - 1) { request[AT(d, m)] = 0 } }

inline leaves(k, l, how) { skip }
inline command_started() { skip }
inline count_ahead(s) { skip }

inline policy_holds() { skip }

#define IS_HERE(s, k) (command[AT(s, k)] && executing[AT(s, k)] == request[AT(s, k)])
#define IS_HELD_BY(s, k) (owner[k] == s && launch[k] == request[AT(s, k)])

proctype request_reader(byte s; byte k) {
    do
    :: atomic { REACHES(s) && row[s] == OURS && request[AT(s, k)] && IS_HERE(s, k) ->
            length[AT(s, k)] = prompt; request[AT(s, k)] = 0 }           /* it ends within its grace */
    :: atomic { REACHES(s) && row[s] == OURS && request[AT(s, k)] && !IS_HERE(s, k) && (!IS_HELD_BY(s, k) || struck_off_unknown) ->
            request[AT(s, k)] = 0 }
    od
}

active proctype schedule() {
    do
    :: atomic { made < TASKS -> made++; FAULT }
    od
}

inline run_policy(s) { for (i : 0 .. TASKS - 1) { run request_reader(s, i); run asides(s, i) }; i = 0 }
