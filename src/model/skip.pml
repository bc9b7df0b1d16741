/* Overlap SKIP: what is due while another task of the job executes ends at once. */

#define SAME_JOB(a, b) true
#define IS_MADE(k) true
#define MAY_RECOVER(k) true
#define MAY_BE_ENDLESS(k) false
#define NOTHING_TO_WAIT_FOR false
#define REQUESTED(i) 0

inline decide(s, k) {
    decision = STARTS;
    for (i : 0 .. TASKS - 1) { decision = (i != k && state[i] == EXECUTING -> SKIPS : decision) }
}

/* Nothing else depends on it. These are no steps at all, which keeps searches of little depth short. */
#define starts(k, l)
#define leaves(k, l, how)
#define lose_or_set_aside(k) lose(k)
#define wake()
#define lets_by(k)
#define hand_on(s, k)
#define remember_handed(s) skip
#define forget_replacement(k)
#define forget_requests(d)
#define command_started()
#define count_ahead(s)
#define policy_holds()
#define run_policy(s)
