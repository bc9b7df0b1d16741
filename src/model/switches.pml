/* What may happen, and what is left out on purpose. The verifier reads the names from its environment: SWITCHES="kill9 no_gate" ./pan */

/* Worlds. None of them: JVMs may stand still at any step, any transaction may fail or lose its answer, but no JVM is killed. */
hidden byte answers_come;           /* every transaction happens, and its answer comes */
hidden byte prompt;                 /* nobody is slow: time passes only when nothing is left to do. The database goes and comes. */
hidden byte kill9;                  /* the JVM of node 0 is killed and started again, any number of times */
hidden byte keep;                   /* session.on-disconnect: KEEP */
hidden byte feed_apart;             /* feeding the guard and renewing the trust are two steps */
hidden byte no_edits;               /* nobody takes a prepared task away */

/* Mutations: each leaves out one rule of the protocol, and a property must fail. */
hidden byte no_launch_guard;        /* writes do not compare the launch id */
hidden byte no_session_check;       /* takeover does not look whether its own session is still there */
hidden byte no_fence;               /* neither guard nor JVM kills anything when the trust runs out */
hidden byte no_gate;                /* a command starts however late it is */
hidden byte fed_on_answer;          /* the guard's deadline counts from the answer to a heartbeat, not from when it was asked for */
hidden byte database_time;          /* a session expires by `now - heartbeat_at`, and the database's clock steps */
hidden byte short_timeout;          /* the timeout is shorter than the fence */
hidden byte drop_results;           /* the fence forgets everything, also what had ended */
hidden byte no_contact;             /* a node judges others right after an outage of its own */
hidden byte no_compensation;        /* nobody repairs what a lost answer leaves */
hidden byte start_unanswered;       /* a command starts although nobody knows whether its row says so */
hidden byte join_while_running;     /* a node joins again before its commands are dead (with feed_apart) */
hidden byte renewed_first;          /* the trust is renewed before the guard is fed (with feed_apart) */
hidden byte fed_without_name;       /* only joining names the session to the guard, a heartbeat gives it no more than a deadline */

/* Mutations of cursor.pml. */
hidden byte derived;                /* whoever prepares a row makes the next, if no live row has its key */
hidden byte not_looked_again;       /* the transaction believes what the scan said of the cursor */

c_code {
    static int switched_on(const char *name) {
        const char *switches = getenv("SWITCHES");
        size_t length = strlen(name);
        for (const char *at = switches ? strstr(switches, name) : 0; at; at = strstr(at + 1, name))
            if ((at == switches || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return 1;
        return 0;
    }
}

inline read_switches() {
    c_code {
        answers_come = switched_on("answers_come");
        prompt = switched_on("prompt");
        kill9 = switched_on("kill9");
        keep = switched_on("keep");
        feed_apart = switched_on("feed_apart");
        no_edits = switched_on("no_edits");
        no_launch_guard = switched_on("no_launch_guard");
        no_session_check = switched_on("no_session_check");
        no_fence = switched_on("no_fence");
        no_gate = switched_on("no_gate");
        fed_on_answer = switched_on("fed_on_answer");
        database_time = switched_on("database_time");
        short_timeout = switched_on("short_timeout");
        drop_results = switched_on("drop_results");
        no_contact = switched_on("no_contact");
        no_compensation = switched_on("no_compensation");
        start_unanswered = switched_on("start_unanswered");
        join_while_running = switched_on("join_while_running");
        renewed_first = switched_on("renewed_first");
        fed_without_name = switched_on("fed_without_name");
        derived = switched_on("derived");
        not_looked_again = switched_on("not_looked_again");
    }
}
