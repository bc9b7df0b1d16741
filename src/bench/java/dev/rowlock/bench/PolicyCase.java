package dev.rowlock.bench;

import dev.rowlock.task.rule.Selector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Jobs that use one policy.
 *
 * @param slots of the node that is measured
 * @param labels of that node
 * @param tasks how many tasks are due, or come of what is due
 * @param starts how many of them start on that node
 */
record PolicyCase(String name, int slots, Map<String, String> labels, int tasks, int starts, Jobs jobs) {

    /** As many as are never lacked. */
    private static final int SLOTS = 1000;
    /** Of the limit of a group; a node with as many slots shows what the limit alone would allow. */
    private static final int LIMIT = 20;

    private static final int QUEUES = 10;
    private static final int GROUPS = 20;
    private static final int NODES = 50;
    private static final int LABELS = 10;
    private static final int SELECTORS = 100;
    private static final int FEW_SLOTS = 64;
    private static final int BACKLOG = 10_000;

    /** Puts jobs into a database that has Rowlock's tables. */
    interface Jobs {
        void insert(Schema schema, String cron, Instant due);
    }

    static List<PolicyCase> all(int tasks) {
        return List.of(
                plain("plain", SLOTS, tasks),
                plain("plain-20-slots", LIMIT, tasks),
                queue(tasks),
                group("group", tasks, 1),
                group("groups", tasks, GROUPS),
                selectors(tasks),
                broadcast(tasks),
                plain("plain-64-slots", FEW_SLOTS, BACKLOG + tasks),
                priorities(tasks));
    }

    private static PolicyCase plain(String name, int slots, int tasks) {
        return new PolicyCase(
                name,
                slots,
                Map.of(),
                tasks,
                tasks,
                (schema, cron, due) -> RowlockJobs.insertWith(schema, tasks, cron, due, ""));
    }

    /** Ten jobs, each asked to run so often at the instant that all but one of its tasks wait. */
    private static PolicyCase queue(int tasks) {
        int runs = Math.max(1, tasks / QUEUES);
        String policies = ", 'overlap', 'QUEUE', 'overlapLimit', " + runs;
        return new PolicyCase(
                "queue",
                SLOTS,
                Map.of(),
                QUEUES * runs,
                QUEUES * runs,
                (schema, cron, due) -> RowlockJobs.insertRuns(schema, QUEUES, runs, due, policies));
    }

    /** Each group with the same limit. */
    private static PolicyCase group(String name, int tasks, int groups) {
        return new PolicyCase(name, SLOTS, Map.of(), tasks, tasks, (schema, cron, due) -> {
            schema.run("insert into job_group (name, slots, created_at, updated_at) select concat('g-', n - 1), "
                    + LIMIT + ", utc_timestamp(3), utc_timestamp(3) from " + Schema.numbers(groups));
            RowlockJobs.insertWith(schema, tasks, cron, due, ", 'group', concat('g-', n % " + groups + ")");
        });
    }

    /** A node with ten labels; each job asks for all of them, in one of a hundred ways. */
    private static PolicyCase selectors(int tasks) {
        Map<String, String> labels = new TreeMap<>();
        IntStream.range(0, LABELS).forEach(i -> labels.put("label-" + i, "is-" + i));
        return new PolicyCase("selectors", SLOTS, labels, tasks, tasks, (schema, cron, due) -> {
            IntStream.range(0, SELECTORS)
                    .forEach(n -> schema.run("insert into selector (id, expression) values (" + (n + 1) + ", '"
                            + selector(n) + "')"));
            RowlockJobs.insertWith(
                    schema,
                    tasks,
                    cron,
                    due,
                    ", 'nodes', (select expression from selector where id = 1 + n % " + SELECTORS + ")");
        });
    }

    private static String selector(int n) {
        return Selector.parse(IntStream.range(0, LABELS)
                        .mapToObj(i -> "label-" + i + " in (is-" + i + ", not-" + n + ")")
                        .collect(Collectors.joining(", ")))
                .toString();
    }

    /**
     * On fifty nodes, of which one is there: the others are rows of {@code session}, so their parts are made and
     * stay.
     */
    private static PolicyCase broadcast(int tasks) {
        int jobs = Math.max(1, tasks / NODES);
        return new PolicyCase("broadcast", SLOTS, Map.of(), jobs * NODES, jobs, (schema, cron, due) -> {
            schema.run("insert into session (id, node, host, boot_id, pid, pid_start, version, labels, capacity,"
                    + " started_at, beat, heartbeat_at, state, timeout_ms)"
                    + " select concat('pretended', n), concat('pretended-', n),"
                    + " concat('host-', n), concat('boot-', n), n, n, 'bench', '{}', 64, utc_timestamp(3), 1,"
                    + " utc_timestamp(3), 'ALIVE', 600000 from " + Schema.numbers(NODES - 1));
            RowlockJobs.insertWith(schema, jobs, cron, due, ", 'broadcast', true");
        });
    }

    /** More is due at once than there are slots for, and some of it has priority. */
    private static PolicyCase priorities(int tasks) {
        int all = BACKLOG + tasks;
        return new PolicyCase(
                "priorities",
                FEW_SLOTS,
                Map.of(),
                all,
                all,
                (schema, cron, due) -> RowlockJobs.insertWith(
                        schema, all, cron, due, ", 'priority', if(n <= " + tasks + ", 1 + n % 100, 0)"));
    }
}
