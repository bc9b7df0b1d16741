/* What may happen, and what is left out on purpose. The verifier reads the names from its environment: SWITCHES="kill9 no_gate" ./pan */

/* Worlds. None of them: JVMs may stand still at any step, any transaction may fail or lose its answer, but no JVM is killed. */
hidden byte answers_come;           /* every transaction happens, and its answer comes */
hidden byte prompt;                 /* nobody is slow: time passes only when nothing is left to do. The database goes and comes. */
hidden byte kill9;                  /* the JVM of node 0 is killed and started again, any number of times */
hidden byte feed_apart;             /* feeding the guard and renewing the trust are two steps */
hidden byte no_edits;               /* nobody takes a prepared task away */
hidden byte start_fails;            /* one answer to a transaction that starts a task may be lost, also if all others come */
hidden byte refusals;               /* history may refuse the row of a loss, once for each time it is tried */
hidden byte limit_changes;          /* somebody lowers the limit of the group by one, and raises it again */
hidden byte gets_stuck;             /* no node may run a task that is to start, or its row cannot be written, once for each task */
hidden byte drains;                 /* somebody drains node 0, by asking the other one (these are of writers.pml) */
hidden byte undrains;               /* and somebody ends that, by asking node 0 */
hidden byte late_starts;            /* what starts after that was answered is excused: only what else comes of it counts */
hidden byte freezes;                /* somebody freezes all jobs, by asking node 0, and ends that, by asking node 1 */
hidden byte expires;                /* node 0 loses its session, and joins again */
hidden byte queues;                 /* a task that may not execute beside another waits until the end of that one wakes it */

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

/* Mutations of cursor.pml. */
hidden byte row_without_cursor;     /* the row is made in a transaction of its own, after which the node may die */
hidden byte cursor_without_row;     /* the cursor is moved in one */
hidden byte cursor_not_guarded;     /* the transaction believes what the scan said of the cursor's fire time */
hidden byte edit_not_seen;          /* the transaction believes what the scan said of the job's version */

/* Mutations of group.pml. */
hidden byte slot_kept_by_finish;    /* recording a result leaves the slot */
hidden byte slot_kept_by_expiry;    /* the end of a session leaves the slots of what it executed */
hidden byte slot_kept_by_reset;     /* what is given back keeps its slot */
hidden byte slot_of_another;        /* the slot of a task goes, whatever launch it is for */
hidden byte counted_without_lock;   /* slots are counted before the lock is taken */
hidden byte handed_to_gone;         /* what waits is handed to a session that is not in the table any more (also of replace.pml) */
hidden byte waiter_not_woken;       /* nobody tells those who wait (also of replace.pml) */

/* Mutations of replace.pml. */
hidden byte replaced_recovered;     /* what was lost while it was to be replaced has another attempt */
hidden byte struck_off_unknown;     /* a request to kill what is not known here is struck off */
hidden byte started_at_request;     /* what replaces starts once the kill is asked for */
hidden byte older_waiter_stays;     /* an earlier occurrence goes on waiting */
hidden byte only_recoveries_yield;  /* an earlier occurrence that comes late replaces a later one */
hidden byte mark_kept;              /* what is given back is still marked as replaced */

/* Mutations of queue.pml. */
hidden byte stuck_unheard;          /* what waits for a node, or was set aside, lets nobody by */
hidden byte wakes_latest;           /* of those that wait, the latest is woken */

/* Mutations of writers.pml. */
hidden byte all_only_locked;        /* who changes what may be started locks all lock rows and changes none */
hidden byte holds_only_lock;        /* so do a hold and the record of an end */
hidden byte freeze_remembered;      /* a start believes what its node knows of the freeze, and does not compare the number on the stripes */
hidden byte start_only_locks;       /* so does a start with the row of its stripe */
hidden byte limit_only_locked;      /* so does whoever counts the slots of a group with its row */
hidden byte released_in_any_state;  /* what was prepared when it was read is given back also if it executes by now */

/* Mutations of schema.pml. */
hidden byte taken_at_once;          /* who waits does not wait */
hidden byte taken_unseen;           /* who waited long enough does not look whether the row was renewed since */
hidden byte only_looked;            /* a look changes nothing: it takes place also while the database commits nothing */

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
        feed_apart = switched_on("feed_apart");
        no_edits = switched_on("no_edits");
        start_fails = switched_on("start_fails");
        refusals = switched_on("refusals");
        limit_changes = switched_on("limit_changes");
        gets_stuck = switched_on("gets_stuck");
        drains = switched_on("drains");
        undrains = switched_on("undrains");
        late_starts = switched_on("late_starts");
        freezes = switched_on("freezes");
        expires = switched_on("expires");
        queues = switched_on("queues");
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
        row_without_cursor = switched_on("row_without_cursor");
        cursor_without_row = switched_on("cursor_without_row");
        cursor_not_guarded = switched_on("cursor_not_guarded");
        edit_not_seen = switched_on("edit_not_seen");
        slot_kept_by_finish = switched_on("slot_kept_by_finish");
        slot_kept_by_expiry = switched_on("slot_kept_by_expiry");
        slot_kept_by_reset = switched_on("slot_kept_by_reset");
        slot_of_another = switched_on("slot_of_another");
        counted_without_lock = switched_on("counted_without_lock");
        handed_to_gone = switched_on("handed_to_gone");
        waiter_not_woken = switched_on("waiter_not_woken");
        replaced_recovered = switched_on("replaced_recovered");
        struck_off_unknown = switched_on("struck_off_unknown");
        started_at_request = switched_on("started_at_request");
        older_waiter_stays = switched_on("older_waiter_stays");
        only_recoveries_yield = switched_on("only_recoveries_yield");
        mark_kept = switched_on("mark_kept");
        stuck_unheard = switched_on("stuck_unheard");
        wakes_latest = switched_on("wakes_latest");
        all_only_locked = switched_on("all_only_locked");
        holds_only_lock = switched_on("holds_only_lock");
        freeze_remembered = switched_on("freeze_remembered");
        start_only_locks = switched_on("start_only_locks");
        limit_only_locked = switched_on("limit_only_locked");
        released_in_any_state = switched_on("released_in_any_state");
        taken_at_once = switched_on("taken_at_once");
        taken_unseen = switched_on("taken_unseen");
        only_looked = switched_on("only_looked");
    }
}
