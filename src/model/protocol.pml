/*
 * Rowlock's protocol: the tasks of one job, some nodes, one database. README.md beside this file explains the switches.
 *
 * - A transaction is one step: the lock rows that it takes make it so. Its answer may be lost, or it may not happen.
 * - A JVM may stand still between any two of its steps, for any time. What is on time is the guard, which is another process.
 * - Times are counted down to their end, or up to where they no longer matter, and a launch id is used again once nobody remembers it.
 *   So the space of states is finite, although time is not.
 */

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
#define TIMEOUT 2       /* how long a beat must have stood still; as long as the fence is just enough */
#endif
#define WIDEST_GAP 1    /* the longest break in a node's own contact through which it still judges others */
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
bool command[NODES * TASKS];        /* alive */

/* ---- Seen only by the properties ---- */
bool begun[TASKS];                  /* the command of this attempt was started */

/* Used within one step. */
hidden byte i, j, id, clash;
hidden int used;

/* ------------------------------------------------ switches ------------------------------------------------ */

#ifdef QUIET
#define UNKNOWN false               /* every transaction happens, and its answer comes */
#else
#define UNKNOWN true
#endif

#ifdef NO_LAUNCH_GUARD
#define HELD(k, l) true
#else
#define HELD(k, l) (launch[k] == (l))
#endif

#ifdef NO_SESSION_CHECK
#define MAY_TAKE_OVER(s) true
#else
#define MAY_TAKE_OVER(s) (row[s] == OURS)
#endif

#ifdef NO_GATE
#define GATE_OPEN(s, k) true
#else
#define GATE_OPEN(s, k) (gate[AT(s, k)] > 0)
#endif

#ifdef DATABASE_TIME                /* expiry by `now - heartbeat_at`; the database's clock steps once */
byte age[NODES];
bool stepped;
#define STANDS_STILL(s, d) (age[d] >= TIMEOUT)
#else
#define STANDS_STILL(s, d) (still[OF(s, d)] > TIMEOUT)
#endif

#ifdef KEEP                         /* session.on-disconnect: KEEP */
bool gone[NODES];                   /* this node knows that its session is gone */
#define KNOWS_GONE(s, yes) gone[s] = yes
#define MUST_JOIN(s) (gone[s])
#define MAY_BEAT(s) (!gone[s])      /* a session that nobody has expired goes on after an outage */
#define MAY_OVERLAP(s) (row[s] != OURS)
#else
#define KNOWS_GONE(s, yes) skip
#define MUST_JOIN(s) (trust[s] == 0)
#define MAY_BEAT(s) (trust[s] > 0)
#define MAY_OVERLAP(s) false
#endif

#ifdef PROMPT                       /* nobody is slow: time passes only when nothing is left to do */
#ifndef BOUND
#define BOUND 8
#endif
bool up = true;
bool beaten[NODES];
byte gap[NODES];                    /* since a node's last contact with the database */
byte calm;                          /* since the last fault */
byte length[NODES * TASKS];         /* how much longer a command runs */
#define DUE_TO_BEAT(s) (!beaten[s])
#define HAS_BEATEN(s) beaten[s] = true
#define FAULT calm = 0
#define MAY_END(s, k) (length[AT(s, k)] == 0)
#define REACHES(s) (up && !dead[s] && !turn[s] && trust[s] > 0)
#ifdef NO_CONTACT
#define CONTACT(s) true
#else
#define CONTACT(s) (gap[s] <= WIDEST_GAP)
#endif
#else                               /* an outage: nobody reaches the database for a while. It needs no variable. */
#define up true
#define DUE_TO_BEAT(s) true
#define HAS_BEATEN(s) skip
#define FAULT skip
#define MAY_END(s, k) true
#define REACHES(s) (!dead[s] && !turn[s])
#define CONTACT(s) true             /* more may be expired than in truth: only results depend on contact, nothing else */
#endif

/* ------------------------------------------------ properties ------------------------------------------------ */

inline no_command_is_alive() {
    clash = false;
    for (i : 0 .. NODES * TASKS - 1) { clash = clash || (command[i] && !MAY_OVERLAP(i / TASKS)) };
    assert(!clash)
}

inline nothing_is_held_by_no_session() {
    for (i : 0 .. TASKS - 1) { assert(owner[i] == NOBODY || row[owner[i]] != GONE) }
}

/* What ended in time is recorded, and not as LOST because its session was expired. Holds if nobody is slow. */
inline no_result_is_thrown_away(d) {
#ifdef PROMPT
    for (i : 0 .. TASKS - 1) {
        assert(dead[d] || !(owner[i] == d && result[AT(d, i)] == ENDED && executing[AT(d, i)] == launch[i]))
    }
#else
    skip
#endif
}

/* ------------------------------------------------ the table ------------------------------------------------ */

inline fresh_launch() {
    d_step {
        used = 0;
        for (i : 0 .. TASKS - 1) { used = used | (1 << launch[i]) };
        for (i : 0 .. NODES * TASKS - 1) { used = used | (1 << prepared[i]) | (1 << executing[i]) };
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
inline give_back(k) { assert(!begun[k]); to_idle(k) }

/* A row of history that says LOST, and another attempt if there may be one. */
inline lose(k) {
    if
    :: attempt[k] < ATTEMPTS -> attempt[k]++; begun[k] = false; to_idle(k)
    :: else -> to_history(k)
    fi
}

/* Executing → history, if the row still is that of the launch; else it is recorded already, or too late. */
inline record(s, k) {
    if
    :: state[k] == EXECUTING && HELD(k, executing[AT(s, k)]) ->
        no_command_is_alive();
        if
        :: result[AT(s, k)] == ENDED -> to_history(k)
        :: else -> lose(k)
        fi
    :: else -> skip
    fi
}

/* What a session leaves behind. If nobody knows what was started, all that is executing may have been. */
inline end_session(d, known) {
    for (j : 0 .. TASKS - 1) {
        if
        :: owner[j] != d -> skip
        :: owner[j] == d && state[j] == EXECUTING && (!(known) || executing[AT(d, j)] == launch[j]) -> lose(j)
        :: else -> give_back(j)
        fi
    }
}

/* ------------------------------------------------ commands ------------------------------------------------ */

/* By guard or fence. What had ended before keeps its outcome. */
inline kill_commands(s) {
    for (i : 0 .. TASKS - 1) {
        result[AT(s, i)] = (command[AT(s, i)] -> LOST : result[AT(s, i)]);
        command[AT(s, i)] = false;
#ifdef DROP_RESULTS
        executing[AT(s, i)] = (result[AT(s, i)] == NONE -> executing[AT(s, i)] : 0);
        result[AT(s, i)] = NONE
#endif
    }
}

inline start_command(s, k) {
    no_command_is_alive();
    assert(state[k] == EXECUTING && launch[k] == executing[AT(s, k)]);
    assert(!begun[k]);                                                    /* at most one start per attempt */
    begun[k] = true; command[AT(s, k)] = true;
    waiting[AT(s, k)] = false; gate[AT(s, k)] = 0
}

inline never_start(s, k) { waiting[AT(s, k)] = false; gate[AT(s, k)] = 0; executing[AT(s, k)] = 0 }

/* ------------------------------------------------ time ------------------------------------------------ */

inline the_guard_looks(s) {
    if
    :: guard[s] == 0 ->
        for (i : 0 .. TASKS - 1) { assert(!command[AT(s, i)] || trust[s] == 0) };     /* or it would be FAILED, not LOST */
        kill_commands(s)
    :: else -> skip
    fi
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
#if !defined(NO_FENCE) && !defined(KEEP)
        for (j : 0 .. NODES - 1) { the_guard_looks(j) };
#endif
#ifdef DATABASE_TIME
        for (i : 0 .. NODES - 1) { age[i] = (age[i] < TIMEOUT -> age[i] + 1 : age[i]) };
#endif
#ifdef PROMPT
        for (i : 0 .. NODES - 1) { beaten[i] = false; gap[i] = (gap[i] <= WIDEST_GAP -> gap[i] + 1 : gap[i]) };
        for (i : 0 .. NODES * TASKS - 1) { length[i] = (length[i] -> length[i] - 1 : 0) };
        calm = (calm <= BOUND -> calm + 1 : calm);
        clash = false;
        for (i : 0 .. TASKS - 1) { clash = clash || state[i] != HISTORY };
        assert(!clash || calm <= BOUND);                                 /* after the last fault, every task comes to its end */
#endif
        i = 0; j = 0 }
}

active proctype time() {
    do
#ifdef PROMPT
    :: atomic {
        timeout ->
        time_passes();
        if
        :: true
        :: up -> up = false; FAULT
        :: !up -> up = true; FAULT
#ifdef KILL9
        :: !dead[0] -> kill_jvm(0); FAULT
        :: dead[0] -> start_again(0); FAULT
#endif
        fi }
#else
    :: time_passes()
#endif
#ifdef DATABASE_TIME
    :: d_step { !stepped -> stepped = true; for (i : 0 .. NODES - 1) { age[i] = TIMEOUT }; i = 0 }
#endif
    od
}

/* ------------------------------------------------ session ------------------------------------------------ */

inline beat(s) {
    for (i : 0 .. NODES - 1) { still[OF(i, s)] = 0 };
#ifdef DATABASE_TIME
    age[s] = 0
#endif
}

/* No row: a heartbeat, or a transaction, was told so. */
inline session_is_gone(s) { trust[s] = 0; KNOWS_GONE(s, true) }

inline look_at_the_others(s) {
    for (i : 0 .. NODES - 1) {
        still[OF(s, i)] = (i == s || row[i] == GONE -> 0 : (still[OF(s, i)] && CONTACT(s) -> still[OF(s, i)] : 1))
    };
#ifdef PROMPT
    gap[s] = 0
#endif
}

inline feed_guard(s) {
#ifdef FED_ON_ANSWER
    guard[s] = (guard[s] && MAY_BEAT(s) -> FENCE : guard[s])
#else
    guard[s] = (guard[s] && MAY_BEAT(s) && asked[s] > guard[s] -> asked[s] : guard[s])
#endif
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
#ifndef NO_GATE
        assert(!waiting[AT(s, i)] || gate[AT(s, i)] == 0);              /* what the launcher still has will not start */
#endif
        never_start(s, i); result[AT(s, i)] = NONE
    };
    KNOWS_GONE(s, false); first_life[s] = true;
    trust[s] = asked[s]; guard[s] = asked[s]
}

inline nothing_runs(s) {
    clash = false;
    for (i : 0 .. TASKS - 1) { clash = clash || command[AT(s, i)] || waiting[AT(s, i)] };
#ifndef JOIN_WHILE_RUNNING
    !clash
#endif
}

proctype session_keeper(byte s) {
again:
    do
    :: atomic { !dead[s] && MAY_BEAT(s) && DUE_TO_BEAT(s) -> HAS_BEATEN(s); asked[s] = FENCE };
        atomic {
            if
            :: up && row[s] == OURS -> beat(s)
            :: up && row[s] == OURS && UNKNOWN -> beat(s); FAULT; asked[s] = 0; goto again
            :: up && row[s] != OURS && !dead[s] -> session_is_gone(s); asked[s] = 0; goto again
            :: !up || dead[s] || UNKNOWN -> FAULT; asked[s] = 0; goto again
            fi };
#ifdef FEED_APART
        atomic { if :: dead[s] -> skip :: else -> FIRST(s) fi };
        atomic { if :: dead[s] -> skip :: else -> SECOND(s); look_at_the_others(s) fi; asked[s] = 0 }
#else
        atomic { if :: dead[s] -> skip :: else -> feed_guard(s); renew_trust(s); look_at_the_others(s) fi; asked[s] = 0 }
#endif
    :: atomic { !dead[s] && MUST_JOIN(s) && DUE_TO_BEAT(s) -> nothing_runs(s); HAS_BEATEN(s) };
        atomic { !turn[s] -> turn[s] = true; asked[s] = FENCE; forget_prepared(s) };
        atomic {
            if
            :: up && !dead[s] -> join(s, OURS); joined(s)
            :: up && (dead[s] || UNKNOWN) -> join(s, FORMER); FAULT
            :: !up || dead[s] || UNKNOWN -> FAULT
            fi;
            asked[s] = 0; turn[s] = false }
#if defined(KILL9) && !defined(PROMPT)
    :: atomic { dead[s] && !turn[s] -> start_again(s) }
#endif
    od
}

/* Expires the session of another: one whose beat stands still, or one of this host whose JVM is gone. */
proctype session_reaper(byte s; byte d) {
    do
    :: atomic {
        up && REACHES(s) && row[s] == OURS && row[d] != GONE && (STANDS_STILL(s, d) || dead[d]) ->
        no_result_is_thrown_away(d);
        end_session(d, false);
        row[d] = GONE }
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
    clash = false;
    for (i : 0 .. TASKS - 1) { clash = clash || (i != k && state[i] == EXECUTING) };
    if
    :: clash -> to_history(k)                                            /* SKIPPED: the job is still executing */
    :: else ->
        state[k] = EXECUTING; launch[k] = id; owner[k] = s;
        if
        :: !dead[s] -> prepared[AT(s, k)] = 0; executing[AT(s, k)] = id; waiting[AT(s, k)] = true
        :: dead[s] || UNKNOWN -> FAULT
        fi
    fi
}

#define MINE(s, k) (state[k] == PREPARED && prepared[AT(s, k)] && HELD(k, prepared[AT(s, k)]))

/* One transaction, with what memory makes of it. What it does is decided under the row lock: the scan before it only proposed. */
inline transact(s, k) {
    if
    :: !up || dead[s] || UNKNOWN -> FAULT                                                               /* it does not happen */
    :: up && row[s] == OURS && state[k] == IDLE -> acquire(s, k)
    :: up && row[s] == OURS && MINE(s, k) -> id = prepared[AT(s, k)]; start(s, k)                       /* fire */
    :: up && MAY_TAKE_OVER(s) && state[k] == PREPARED && owner[k] != s -> fresh_launch(); start(s, k)   /* take over */
    :: up && row[s] == OURS && prepared[AT(s, k)] && !MINE(s, k) -> prepared[AT(s, k)] = 0              /* it was given back, or taken over */
    :: up && row[s] != OURS && !dead[s] -> session_is_gone(s)
    :: else -> skip
    fi
}

#define HAS_WORK(s, k) (prepared[AT(s, k)] || state[k] == IDLE || (state[k] == PREPARED && owner[k] != s))

/* The trust is looked at first; the transaction may come much later. */
proctype scheduler(byte s; byte k) {
    do
    :: atomic { up && !dead[s] && !turn[s] && trust[s] > 0 && !executing[AT(s, k)] && HAS_WORK(s, k) ->
            turn[s] = true; gate[AT(s, k)] = trust[s] };
        atomic {
            transact(s, k);
            nothing_is_held_by_no_session();
            gate[AT(s, k)] = (waiting[AT(s, k)] -> gate[AT(s, k)] : 0);
            turn[s] = false }
    od
}

proctype launcher(byte s; byte k) {
    do
    :: atomic { waiting[AT(s, k)] && GATE_OPEN(s, k) -> start_command(s, k);
#ifdef PROMPT
            if :: length[AT(s, k)] = 0 :: length[AT(s, k)] = 1 fi
#endif
        }
    :: atomic { waiting[AT(s, k)] && (gate[AT(s, k)] == 0 || MUST_JOIN(s)) -> never_start(s, k) }
#ifdef KEEP
    :: atomic { command[AT(s, k)] && MAY_END(s, k) -> command[AT(s, k)] = false; result[AT(s, k)] = ENDED }
#else
    :: atomic { command[AT(s, k)] && MAY_END(s, k) -> command[AT(s, k)] = false;
            result[AT(s, k)] = (trust[s] > 0 -> ENDED : LOST) }         /* what ends when its session cannot be trusted is lost */
#endif
#ifndef NO_FENCE
    :: atomic { command[AT(s, k)] && MUST_JOIN(s) -> kill_commands(s) }   /* the JVM's own fence */
#endif
    od
}

proctype result_recorder(byte s; byte k) {
    do
    :: atomic { REACHES(s) && result[AT(s, k)] != NONE ->
            record(s, k);
            if
            :: executing[AT(s, k)] = 0; result[AT(s, k)] = NONE
            :: UNKNOWN -> FAULT
            fi }
    od
}

#define IS_KNOWN(s, k) (launch[k] == (state[k] == EXECUTING -> executing[AT(s, k)] : prepared[AT(s, k)]))

/* Gives back what the table says is this session's and memory does not know. */
proctype compensator(byte s; byte k) {
    do
    :: atomic { REACHES(s) && row[s] == OURS && owner[k] == s && !IS_KNOWN(s, k) -> give_back(k) }
    od
}

/* ------------------------------------------------ people and accidents ------------------------------------------------ */

/* An edit, a pause, a drain: what is prepared becomes idle, and no node is told. */
active proctype operator() {
    do
    :: atomic { up && state[0] == PREPARED -> give_back(0); FAULT }
    od
}

/* kill -9: the guard sees the end of file. */
inline kill_jvm(s) {
    for (i : 0 .. TASKS - 1) {
        command[AT(s, i)] = false; waiting[AT(s, i)] = false; gate[AT(s, i)] = 0; prepared[AT(s, i)] = 0;
        executing[AT(s, i)] = (result[AT(s, i)] == NONE -> 0 : executing[AT(s, i)])
    };
    for (i : 0 .. NODES - 1) { still[OF(s, i)] = 0 };
    dead[s] = true; trust[s] = 0; guard[s] = 0; first_life[s] = false; KNOWS_GONE(s, true)
}

/* A new daemon of the same node. The row of its earlier life is there, if nobody has expired it. */
inline start_again(s) { dead[s] = false; row[s] = (row[s] == OURS -> FORMER : row[s]) }

#if defined(KILL9) && !defined(PROMPT)
active proctype killer() {
    do
    :: d_step { !dead[0] -> kill_jvm(0); i = 0 }
    od
}
#endif

init {
    atomic {
        byte s, k;
        for (s : 0 .. NODES - 1) {
            run session_keeper(s);
            for (k : 0 .. NODES - 1) { if :: k != s -> run session_reaper(s, k) :: else -> skip fi };
            for (k : 0 .. TASKS - 1) { run scheduler(s, k); run launcher(s, k); run result_recorder(s, k)
#ifndef NO_COMPENSATION
                ; run compensator(s, k)
#endif
            }
        };
        s = 0; k = 0 }
}
