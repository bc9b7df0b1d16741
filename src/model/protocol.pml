/*
 * Rowlock's protocol: some tasks, some nodes, one database. switches.pml explains the switches. What the tasks are to each other
 * is in the file of their policy: skip.pml, queue.pml, replace.pml or group.pml.
 *
 * - A transaction is one step: the lock rows that it takes make it so. Its answer may be lost, or it may not happen.
 * - A JVM may stand still between any two of its steps, for any time. What is on time is the guard, which is another process.
 * - Times are counted down to their end, or up to where they no longer matter, and a launch id is used again once nobody remembers it.
 *   So the space of states is finite, although time is not.
 */

#include "switches.pml"

#ifndef NODES
#define NODES 2
#endif
#ifndef TASKS
#define TASKS 1
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2      /* at one occurrence; lost in the last one, it ends */
#endif
#ifndef FENCE
#define FENCE 2         /* how long a renewal is good for, counted from when it was asked for */
#endif
#ifndef TIMEOUT
#define TIMEOUT FENCE   /* how long a beat must have stood still */
#endif
#define WIDEST_GAP 1    /* the longest break in a node's own contact through which it still judges others */
#define SKIP 0          /* the tasks are of one job; so they are with REPLACE */
#define REPLACE 1
#define GROUP 2         /* each task is of another job; they share a group with a limit */
#define QUEUE 3         /* of one job again */
#ifndef POLICY
#define POLICY SKIP
#endif
#ifndef BOUND
#define BOUND 8         /* in the prompt world: how long after the last fault a task may take to its end */
#endif
#define NOBODY NODES
#define AT(s, k) ((s) * TASKS + (k))
#define OF(s, d) ((s) * NODES + (d))

mtype = { IDLE, PREPARED, EXECUTING, HISTORY };     /* of a task */
mtype = { OURS, FORMER, GONE };                     /* a node's row in `session`: its present session's, another of its sessions', none */
mtype = { NONE, ENDED, LOST };                      /* what a node knows of the end of a command */

/* ---- The database ---- */
mtype state[TASKS] = IDLE;
byte launch[TASKS];
byte owner[TASKS] = NOBODY;
byte attempt[TASKS] = 1;
bool held[TASKS];                   /* idle, and waits for another task */
bool aside[TASKS];                  /* idle, lost, and history refuses to say so */
mtype row[NODES] = OURS;

/* ---- The memory of a node. It goes with the JVM, but for the results, which are in the journal on disk. ---- */
bool dead[NODES];
bool turn[NODES];                   /* taken: no other loop of this node may touch tasks */
byte trust[NODES] = FENCE;          /* how much longer the session may be trusted */
byte asked[NODES];                  /* what is left of the renewal that is under way */
bool first_life[NODES] = true;      /* this JVM knows what was started in the session that is in the table */
byte prepared[NODES * TASKS];       /* launch ids */
byte executing[NODES * TASKS];
mtype result[NODES * TASKS] = NONE;
bool waiting[NODES * TASKS];        /* in the hands of the launcher, not started */
byte gate[NODES * TASKS];           /* how much longer the gate in the command's shell will let it pass */
byte still[NODES * NODES];          /* 0: that one's beat is not the one that this node saw last; else 1 + for how long it has been */

/* ---- On the host, outside the JVM ---- */
byte guard[NODES] = FENCE;          /* until the deadline that it was fed; 0: it kills whatever carries this session's id */
bool named[NODES] = true;           /* the guard was told the id of the present session, and kills what carries it when the JVM dies */
bool command[NODES * TASKS];        /* alive */

/* ---- Seen only by the properties ---- */
bool begun[TASKS];                  /* the command of this attempt was started */

/* Used within one step, and never to wait for. */
mtype = { STARTS, HOLDS, SKIPS };                   /* what becomes of a task that is fired */
mtype = { FINISH, EXPIRY, RESET };                  /* how it ceases to execute */
hidden mtype decision;
hidden byte i, j, m, id, clash;
hidden int used;
hidden byte handed;

/* ------------------------------------------------ what the switches change ------------------------------------------------ */

#define UNKNOWN (!answers_come)                     /* may a transaction fail, or its answer be lost? */
#define HELD(k, l) (no_launch_guard || launch[k] == (l))
#define MAY_TAKE_OVER(s) (no_session_check || row[s] == OURS)
#define GATE_OPEN(s, k) (no_gate || gate[AT(s, k)] > 0)
#define LONG_ENOUGH (short_timeout -> TIMEOUT - 1 : TIMEOUT)
#define STANDS_STILL(s, d) (database_time -> age[d] >= LONG_ENOUGH : still[OF(s, d)] > LONG_ENOUGH)

#define MUST_JOIN(s) (trust[s] == 0)
#define MAY_BEAT(s) (trust[s] > 0)

/* The JVM's own fence ends commands a grace before the trust runs out; if nobody is slow, a heartbeat comes before that. */
#define THE_FENCE_KILLS(s) (MUST_JOIN(s) || (!prompt && trust[s] <= 1))

/* Elsewhere than in the prompt world an outage is that nobody reaches the database for a while; it needs no variable. */
#define FAILS (!up || UNKNOWN)
#define DUE_TO_BEAT(s) (!prompt || !beaten[s])
#define REACHES(s) (up && !dead[s] && !turn[s] && (!prompt || trust[s] > 0))
#define CONTACT(s) (!prompt || no_contact || gap[s] <= WIDEST_GAP)      /* without it more is expired, and only results suffer */
#define MAY_END(s, k) (length[AT(s, k)] == 0)
#define TO_BE_PREPARED(k) (state[k] == IDLE && !held[k] && !aside[k] && IS_MADE(k))
#define ENDLESS 255                 /* until it is killed */
#define FAULT calm = 0

bool up = true;
byte age[NODES];                    /* database time: since a node's last heartbeat */
bool stepped;
bool start_failed;
bool beaten[NODES];                 /* the rest is of the prompt world: in this step of time */
byte gap[NODES];                    /* since a node's last contact with the database */
byte length[NODES * TASKS];         /* how much longer a command runs */
byte calm;                          /* since the last fault */

#if POLICY == GROUP
#include "group.pml"
#elif POLICY == REPLACE
#include "replace.pml"
#elif POLICY == QUEUE
#include "queue.pml"
#else
#include "skip.pml"
#endif

/* ------------------------------------------------ properties ------------------------------------------------ */

/* Of the job of task k. */
inline no_command_is_alive(k) {
    clash = false;
    for (i : 0 .. NODES * TASKS - 1) { clash = clash || (command[i] && SAME_JOB(i % TASKS, k)) };
    assert(!clash)
}

inline nothing_is_held_by_no_session() {
    for (i : 0 .. TASKS - 1) { assert(owner[i] == NOBODY || row[owner[i]] != GONE) }
}

/* What ended in time is recorded, and not as LOST because its session was expired. Holds if nobody is slow. */
inline no_result_is_thrown_away(d) {
    for (i : 0 .. TASKS - 1) {
        assert(!prompt || !answers_come || dead[d] || !(owner[i] == d && result[AT(d, i)] == ENDED && executing[AT(d, i)] == launch[i]))
    }
}

/* ------------------------------------------------ the table ------------------------------------------------ */

inline fresh_launch() {
    d_step {
        used = 0;
        for (i : 0 .. TASKS - 1) { used = used | (1 << launch[i]) };
        for (i : 0 .. NODES * TASKS - 1) { used = used | (1 << prepared[i]) | (1 << executing[i]) | (1 << REQUESTED(i)) };
        id = 1;
        do
        :: used & (1 << id) -> id++
        :: else -> break
        od;
        i = 0 }
}

inline to_idle(k) { state[k] = IDLE; launch[k] = 0; owner[k] = NOBODY }

inline to_history(k) { state[k] = HISTORY; launch[k] = 0; owner[k] = NOBODY; begun[k] = false }

/* Release, reset: only what was never started. */
inline give_back(k) { assert(!begun[k]); leaves(k, launch[k], RESET); to_idle(k); forget_replacement(k) }

/* A row of history that says LOST, and another attempt if there may be one. */
inline lose(k) {
    if
    :: attempt[k] < ATTEMPTS && MAY_RECOVER(k) -> attempt[k]++; begun[k] = false; to_idle(k)
    :: else -> to_history(k)
    fi
}

#if POLICY != SKIP
/* History refuses the row of a loss: the task is idle, and held, until somebody can record it. */
inline lose_or_set_aside(k) {
    if
    :: lose(k)
    :: refusals && !aside[k] -> aside[k] = true; to_idle(k); FAULT
    fi
}
#endif

/* Executing → history, if the row still is that of the launch; else it is recorded already, or too late. */
inline record(s, k) {
    if
    :: state[k] == EXECUTING && HELD(k, executing[AT(s, k)]) ->
        leaves(k, executing[AT(s, k)], FINISH);
        no_command_is_alive(k);
        if
        :: result[AT(s, k)] == ENDED -> to_history(k)
        :: else -> lose_or_set_aside(k)
        fi;
        wake()
    :: else -> leaves(k, executing[AT(s, k)], FINISH); skip
    fi
}

/* What a session leaves behind. If nobody knows what was started, all that is executing may have been. */
inline end_session(d, known) {
    for (j : 0 .. TASKS - 1) {
        if
        :: owner[j] != d -> skip
        :: owner[j] == d && state[j] == EXECUTING && (!(known) || executing[AT(d, j)] == launch[j]) ->
            leaves(j, launch[j], EXPIRY); lose_or_set_aside(j)
        :: else -> give_back(j)
        fi
    };
    forget_requests(d);
    wake()
}

/* ------------------------------------------------ commands ------------------------------------------------ */

/* By guard or fence. What had ended before keeps its outcome. */
inline kill_commands(s) {
    for (i : 0 .. TASKS - 1) {
        result[AT(s, i)] = (command[AT(s, i)] -> LOST : result[AT(s, i)]);
        command[AT(s, i)] = false;
        executing[AT(s, i)] = (drop_results && result[AT(s, i)] != NONE -> 0 : executing[AT(s, i)]);
        result[AT(s, i)] = (drop_results -> NONE : result[AT(s, i)])
    }
}

inline start_command(s, k) {
    no_command_is_alive(k);
    assert(state[k] == EXECUTING && launch[k] == executing[AT(s, k)]);
    assert(!begun[k]);                                                    /* at most one start per attempt */
    begun[k] = true; command[AT(s, k)] = true;
    waiting[AT(s, k)] = false; gate[AT(s, k)] = 0;
    command_started()
}

inline never_start(s, k) { waiting[AT(s, k)] = false; gate[AT(s, k)] = 0; executing[AT(s, k)] = 0 }

/* kill -9: the guard sees the end of file. */
inline kill_jvm(s) {
    for (i : 0 .. TASKS - 1) {
        assert(!command[AT(s, i)] || named[s]);
        command[AT(s, i)] = false; waiting[AT(s, i)] = false; gate[AT(s, i)] = 0; prepared[AT(s, i)] = 0;
        executing[AT(s, i)] = (result[AT(s, i)] == NONE -> 0 : executing[AT(s, i)])
    };
    for (i : 0 .. NODES - 1) { still[OF(s, i)] = 0 };
    dead[s] = true; trust[s] = 0; guard[s] = 0; first_life[s] = false
}

/* A new daemon of the same node. The row of its earlier life is there, if nobody has expired it. */
inline start_again(s) { dead[s] = false; row[s] = (row[s] == OURS -> FORMER : row[s]) }

/* ------------------------------------------------ time ------------------------------------------------ */

inline the_guard_looks(s) {
    if
    :: guard[s] == 0 && !no_fence ->
        for (i : 0 .. TASKS - 1) { assert(!command[AT(s, i)] || trust[s] == 0) };     /* or it would be FAILED, not LOST */
        kill_commands(s)
    :: else -> skip
    fi
}

inline prompt_time_passes() {
    for (i : 0 .. NODES - 1) { beaten[i] = false; gap[i] = (gap[i] <= WIDEST_GAP -> gap[i] + 1 : gap[i]) };
    for (i : 0 .. NODES * TASKS - 1) { length[i] = (length[i] && length[i] != ENDLESS -> length[i] - 1 : length[i]) };
    calm = (NOTHING_TO_WAIT_FOR -> 0 : calm + 1);
    clash = false;
    for (i : 0 .. TASKS - 1) { clash = clash || state[i] != HISTORY };
    assert(!clash || calm <= BOUND);                                     /* after the last fault, every task comes to its end */
    calm = (calm > BOUND -> BOUND : calm)
}

inline time_passes() {
    d_step {
        for (i : 0 .. NODES - 1) {
            trust[i] = (trust[i] -> trust[i] - 1 : 0);
            asked[i] = (asked[i] -> asked[i] - 1 : 0);
            guard[i] = (guard[i] -> guard[i] - 1 : 0)
        };
        for (i : 0 .. NODES * TASKS - 1) { gate[i] = (gate[i] -> gate[i] - 1 : 0) };
        for (i : 0 .. NODES * NODES - 1) { still[i] = (still[i] && still[i] <= TIMEOUT -> still[i] + 1 : still[i]) };
        for (j : 0 .. NODES - 1) { the_guard_looks(j) };
        policy_holds();
        if
        :: database_time -> for (i : 0 .. NODES - 1) { age[i] = (age[i] < TIMEOUT -> age[i] + 1 : age[i]) }
        :: else -> skip
        fi;
        if
        :: prompt -> prompt_time_passes()
        :: else -> skip
        fi;
        i = 0; j = 0 }
}

active proctype time() {
    do
    :: atomic { !prompt -> time_passes() }
    :: atomic { prompt && timeout ->
            time_passes();
            if
            :: true
            :: up -> up = false; FAULT
            :: !up -> up = true; FAULT
            :: kill9 && !dead[0] -> kill_jvm(0); FAULT
            :: kill9 && dead[0] -> start_again(0); FAULT
            fi }
    :: d_step { database_time && !stepped -> stepped = true; for (i : 0 .. NODES - 1) { age[i] = TIMEOUT }; i = 0 }
    od
}

/* ------------------------------------------------ session ------------------------------------------------ */

inline beat(s) {
    for (i : 0 .. NODES - 1) { still[OF(i, s)] = 0 };
    age[s] = 0
}

/* No row: a heartbeat, or a transaction, was told so. */
inline session_is_gone(s) { trust[s] = 0 }

inline look_at_the_others(s) {
    for (i : 0 .. NODES - 1) {
        still[OF(s, i)] = (i == s || row[i] == GONE -> 0 : (still[OF(s, i)] && CONTACT(s) -> still[OF(s, i)] : 1))
    };
    gap[s] = 0
}

inline feed_guard(s) {
    guard[s] = (!guard[s] || !MAY_BEAT(s) -> guard[s] :
            (fed_on_answer -> FENCE : (asked[s] > guard[s] -> asked[s] : guard[s])));
    named[s] = named[s] || MAY_BEAT(s)
}

inline renew_trust(s) { trust[s] = (MAY_BEAT(s) && asked[s] > trust[s] -> asked[s] : trust[s]) }

inline forget_prepared(s) { for (i : 0 .. TASKS - 1) { prepared[AT(s, i)] = 0 } }

/* One transaction: the results are delivered, and the former session ends. */
inline join(s, now) {
    for (j : 0 .. TASKS - 1) {
        if
        :: result[AT(s, j)] != NONE -> record(s, j)
        :: else -> skip
        fi
    };
    if
    :: row[s] != GONE -> end_session(s, first_life[s])
    :: else -> skip
    fi;
    row[s] = now;
    beat(s)
}

inline joined(s) {
    for (i : 0 .. TASKS - 1) {
        assert(!waiting[AT(s, i)] || !GATE_OPEN(s, i));                 /* what the launcher still has will not start */
        never_start(s, i); result[AT(s, i)] = NONE
    };
    first_life[s] = true;
    trust[s] = asked[s]; guard[s] = asked[s]; named[s] = asked[s] > 0          /* an answer that comes too late is told nobody */
}

/* In the hands of the launcher. For no more than three tasks: a condition to wait for has to be one expression. */
#define IN_HAND(s, k) (command[AT(s, k)] || waiting[AT(s, k)])
#define RUNS_NOTHING(s) (join_while_running || !(IN_HAND(s, 0) || IN_HAND(s, TASKS / 2) || IN_HAND(s, TASKS - 1)))

proctype session_keeper(byte s) {
again:
    do
    :: atomic { !dead[s] && MAY_BEAT(s) && DUE_TO_BEAT(s) -> beaten[s] = prompt; asked[s] = FENCE };
        atomic {
            if
            :: up && row[s] == OURS -> beat(s)
            :: row[s] == OURS && FAILS -> if :: up -> beat(s) :: true fi; FAULT; asked[s] = 0; goto again
            :: up && row[s] != OURS && !dead[s] -> session_is_gone(s); asked[s] = 0; goto again
            :: row[s] != OURS && (FAILS || dead[s]) -> FAULT; asked[s] = 0; goto again
            fi;
            if
            :: feed_apart
            :: else -> goto answered
            fi };
        atomic { if :: dead[s] :: !dead[s] && renewed_first -> renew_trust(s) :: else -> feed_guard(s) fi };
answered:
        atomic { if :: dead[s] :: else -> feed_guard(s); renew_trust(s); look_at_the_others(s) fi; asked[s] = 0 }
    :: atomic { !dead[s] && MUST_JOIN(s) && DUE_TO_BEAT(s) && RUNS_NOTHING(s) -> beaten[s] = prompt };
        atomic { !turn[s] -> turn[s] = true; asked[s] = FENCE; forget_prepared(s) };
        atomic {
            if
            :: up && !dead[s] -> join(s, OURS); joined(s)
            :: up && (dead[s] || UNKNOWN) -> join(s, FORMER); FAULT
            :: FAILS || dead[s] -> FAULT
            fi;
            asked[s] = 0; turn[s] = false }
    :: atomic { dead[s] && !turn[s] && !prompt -> start_again(s) }
    od
}

/* Expires the session of another: one whose beat stands still, or one of this host whose JVM is gone. */
proctype session_reaper(byte s; byte d) {
    do
    :: atomic {
        up && REACHES(s) && row[s] == OURS && row[d] != GONE && ((STANDS_STILL(s, d) && CONTACT(s)) || dead[d]) ->
        no_result_is_thrown_away(d);
        end_session(d, false);
        row[d] = GONE; beat(d) }
    od
}

/* ------------------------------------------------ tasks ------------------------------------------------ */

inline acquire(s, k) {
    fresh_launch();
    state[k] = PREPARED; launch[k] = id; owner[k] = s;
    if
    :: !dead[s] -> prepared[AT(s, k)] = id
    :: dead[s] || UNKNOWN -> FAULT
    fi
}

/* Prepared → executing, under a launch id of this node's own. The command may be started only if the answer comes. */
inline start(s, k) {
    decide(s, k);
    if
    :: decision == SKIPS -> to_history(k); wake()
    :: decision == HOLDS -> to_idle(k); held[k] = true; lets_by(k)
    :: decision == STARTS ->
        state[k] = EXECUTING; launch[k] = id; owner[k] = s;
        starts(k, id);
        if
        :: !dead[s] -> prepared[AT(s, k)] = 0; executing[AT(s, k)] = id; waiting[AT(s, k)] = true
        :: dead[s] || UNKNOWN || (start_fails && !start_failed) -> start_failed = start_fails; FAULT
        fi
    fi
}

#define MINE(s, k) (state[k] == PREPARED && prepared[AT(s, k)] && HELD(k, prepared[AT(s, k)]))

/* One transaction, with what memory makes of it. What it does is decided under the row lock: the scan before it only proposed. */
inline transact(s, k) {
    if
    :: FAILS || dead[s] -> FAULT                                                                        /* it does not happen */
    :: FAILS && start_unanswered && !dead[s] && MINE(s, k) -> executing[AT(s, k)] = prepared[AT(s, k)]; waiting[AT(s, k)] = true
    :: up && row[s] == OURS && TO_BE_PREPARED(k) -> acquire(s, k)
    :: up && row[s] == OURS && MINE(s, k) -> id = prepared[AT(s, k)]; start(s, k)                       /* fire */
    :: up && MAY_TAKE_OVER(s) && state[k] == PREPARED && owner[k] != s -> fresh_launch(); start(s, k)   /* take over */
    :: up && row[s] == OURS && prepared[AT(s, k)] && !MINE(s, k) -> prepared[AT(s, k)] = 0              /* it was given back, or taken over */
    :: up && row[s] != OURS && !dead[s] -> session_is_gone(s)
    :: else -> skip
    fi
}

#define HAS_WORK(s, k) (prepared[AT(s, k)] || TO_BE_PREPARED(k) || (state[k] == PREPARED && owner[k] != s))

/* The trust is looked at first; the transaction may come much later. */
proctype scheduler(byte s; byte k) {
    do
    :: atomic { up && !dead[s] && !turn[s] && trust[s] > 0 && !executing[AT(s, k)] && HAS_WORK(s, k) ->
            turn[s] = true; gate[AT(s, k)] = trust[s]; count_ahead(s) };
        atomic {
            transact(s, k);
            nothing_is_held_by_no_session();
            gate[AT(s, k)] = (waiting[AT(s, k)] -> gate[AT(s, k)] : 0);
            turn[s] = false }
    od
}

proctype launcher(byte s; byte k) {
    do
    :: atomic { waiting[AT(s, k)] && GATE_OPEN(s, k) ->
            start_command(s, k);
            if
            :: prompt -> length[AT(s, k)] = 1
            :: prompt && MAY_BE_ENDLESS(k) -> length[AT(s, k)] = ENDLESS
            :: true
            fi }
    :: atomic { waiting[AT(s, k)] && (gate[AT(s, k)] == 0 || MUST_JOIN(s)) -> never_start(s, k) }
    :: atomic { command[AT(s, k)] && MAY_END(s, k) -> command[AT(s, k)] = false;
            result[AT(s, k)] = (trust[s] > 0 -> ENDED : LOST) }   /* what ends when its session cannot be trusted is lost */
    :: atomic { command[AT(s, k)] && THE_FENCE_KILLS(s) && !no_fence -> kill_commands(s) }
    od
}

#if POLICY != SKIP
/* What waited for the end is prepared for the session that records it, in the same transaction, unless others are to find it. */
inline hand_on(s, k) {
    handed = TASKS;
    for (j : 0 .. TASKS - 1) { handed = (j != k && FOLLOWS(j) -> j : handed) };
    j = 0;
    if
    :: handed < TASKS && (row[s] == OURS || handed_to_gone) ->
        fresh_launch();
        held[handed] = false; state[handed] = PREPARED; launch[handed] = id; owner[handed] = s
    :: handed = TASKS
    fi;
    nothing_is_held_by_no_session()
}

inline remember_handed(s) {
    if
    :: handed < TASKS -> prepared[AT(s, handed)] = launch[handed]
    :: else -> skip
    fi
}
#endif

proctype result_recorder(byte s; byte k) {
    do
    :: atomic { REACHES(s) && result[AT(s, k)] != NONE ->
            record(s, k);
            hand_on(s, k);
            if
            :: executing[AT(s, k)] = 0; result[AT(s, k)] = NONE; remember_handed(s)
            :: UNKNOWN -> FAULT
            fi }
    od
}

#define IS_KNOWN(s, k) (launch[k] == (state[k] == EXECUTING -> executing[AT(s, k)] : prepared[AT(s, k)]))

#if POLICY != SKIP
/* Somebody on any node finds a loss that history refused, and records it. */
proctype asides(byte s; byte k) {
    do
    :: atomic { refusals && REACHES(s) && aside[k] -> aside[k] = false; lose(k); wake() }
    od
}
#endif

/* Gives back what the table says is this session's and memory does not know. */
proctype compensator(byte s; byte k) {
    do
    :: atomic { REACHES(s) && row[s] == OURS && owner[k] == s && !IS_KNOWN(s, k) && !no_compensation -> give_back(k) }
    od
}

/* ------------------------------------------------ people and accidents ------------------------------------------------ */

/* An edit, a pause, a drain: what is prepared becomes idle, and no node is told. */
active proctype operator() {
    do
    :: atomic { up && !no_edits && state[0] == PREPARED -> give_back(0); FAULT }
    od
}

active proctype killer() {
    do
    :: d_step { kill9 && !prompt && !dead[0] -> kill_jvm(0); i = 0 }
    od
}

init {
    atomic {
        byte s, k;
        read_switches();
        for (s : 0 .. NODES - 1) {
            run session_keeper(s);
            for (k : 0 .. NODES - 1) { if :: k != s -> run session_reaper(s, k) :: else -> skip fi };
            for (k : 0 .. TASKS - 1) { run scheduler(s, k); run launcher(s, k); run result_recorder(s, k); run compensator(s, k) };
            run_policy(s)
        };
        s = 0; k = 0 }
}
