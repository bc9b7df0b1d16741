package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.definition.OnLost;
import dev.rowlock.nodes.Until;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TcpRelay;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What goes wrong at the worst moment of a request. */
final class RequestFaults {

    /**
     * The first write of an edit: its transaction holds the lock row of the job's stripe, and commits a few statements
     * later.
     */
    private static final String INSIDE = "update job set version";

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LONGEST_RUN = Duration.ofSeconds(25);
    private static final int ATTEMPTS = 4;

    private final List<Workload.Planned> jobs;
    private final List<ChaosNode> nodes;
    private final ChaosDatabase database;
    private final Operators operators;
    private final Asking asking = new Asking();

    RequestFaults(List<Workload.Planned> jobs, List<ChaosNode> nodes, ChaosDatabase database, Operators operators) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.database = database;
        this.operators = operators;
    }

    Fault of(Planned planned) throws Exception {
        if (!operators.mayChange()) {
            throw new Skipped("nothing is changed while the database's clock is wrong");
        }
        return switch (planned.kind()) {
            case FREEZE_IN_REQUEST -> freeze(planned);
            case KILL_PAUSED_RUN -> killPausedRun(planned);
            default -> throw new IllegalArgumentException(planned.kind().toString());
        };
    }

    private static NodeProcess running(ChaosNode node) throws Skipped {
        return node.running()
                .filter(process -> process.status("/readyz") == 200)
                .orElseThrow(() -> new Skipped("no request reaches a node that another fault has down"));
    }

    /**
     * A stripe that has work each second is held: freezes the node in the moment in which its relay sees the write; the
     * write goes on to the server, its answer to nobody.
     */
    private Fault freeze(Planned planned) throws Exception {
        ChaosNode node = nodes.get(planned.node());
        NodeProcess process = running(node);
        List<Workload.Planned> frequent =
                jobs.stream().filter(job -> job.command() == Command.SECOND).toList();
        if (frequent.isEmpty()) {
            throw new Skipped("no stripe has work each second");
        }
        AtomicReference<@Nullable String> frozenIn = new AtomicReference<>();
        for (int i = 0; i < ATTEMPTS && frozenIn.get() == null; i++) {
            Workload.Planned job = frequent.get((planned.salt() + i) % frequent.size());
            CountDownLatch hit = new CountDownLatch(1);
            AtomicReference<@Nullable String> armed = new AtomicReference<>(job.key());
            for (TcpRelay relay : node.relays()) {
                relay.cutBefore(sql -> {
                    if (sql.startsWith(INSIDE)) {
                        String in = armed.getAndSet(null);
                        if (in != null) {
                            frozenIn.set(in);
                            stop(process);
                            hit.countDown();
                        }
                    }
                    return false; // nothing is cut
                });
            }
            var unused = asking.send(process, "PATCH", job.path(), "{\"description\": \"frozen\"}", PATIENCE);
            if (!hit.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                armed.set(null);
            }
        }
        if (frozenIn.get() == null) {
            throw new Skipped("no request came as far as its first write");
        }
        return Fault.of(
                "SIGSTOP of node " + node.name() + " inside a change of " + frozenIn.get(), () -> {}, process::thaw);
    }

    private static void stop(NodeProcess process) {
        try {
            process.freeze();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The recovery of such a run is as little held by the pause as the run itself. */
    private Fault killPausedRun(Planned planned) throws Exception {
        List<Workload.Planned> fit = jobs.stream()
                .filter(job -> job.command() == Command.LONG
                        && job.definition().path("onLost").asText().equals(OnLost.RERUN.name()))
                .toList();
        if (fit.isEmpty()) {
            throw new Skipped("no job runs long enough and is run again when it is lost");
        }
        Workload.Planned job = fit.get(planned.salt() % fit.size());
        NodeProcess any = running(nodes.get(planned.node()));
        ask(any, job.path() + "/pause");
        awaitIdle(job);
        String key = UUID.randomUUID().toString();
        Asking.Answer answer = asking.ask(any, "POST", job.path() + "/run", "", PATIENCE, "Idempotency-Key", key);
        long task = answer.status() == 202 ? answer.json().path("id").longValue() : 0;
        operators.note(new Operators.Run(job.key(), key, task));
        Optional<ChaosNode> runner = task == 0 ? Optional.empty() : runnerOf(task);
        if (runner.isEmpty()) {
            throw new Skipped("the run by hand of a paused job did not begin");
        }
        ChaosNode node = runner.get();
        return Fault.of(
                "SIGKILL of node " + node.name() + " that runs paused " + job.key() + " by hand",
                node::kill,
                () -> startAgain(node));
    }

    /** A run would be skipped while another is under way. */
    private void awaitIdle(Workload.Planned job) throws Exception {
        try {
            Until.holds(LONGEST_RUN, "the end of a run", () -> executing(job) == 0);
        } catch (AssertionError | SQLException e) {
            throw new Skipped("the job to be run by hand did not come to rest, as another fault was near");
        }
    }

    private long executing(Workload.Planned job) throws SQLException {
        try (Connection admin = database.admin();
                PreparedStatement look = admin.prepareStatement(
                        "select count(*) from task t join job j on j.id = t.job_id where j.name = ? and t.state = 'EXECUTING'")) {
            look.setString(1, job.name());
            try (ResultSet row = look.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void startAgain(ChaosNode node) throws IOException {
        if (node.running().isEmpty()) {
            node.start();
        }
    }

    private void ask(NodeProcess node, String path) throws InterruptedException, Skipped {
        Asking.Answer answer = asking.ask(node, "POST", path, "", PATIENCE);
        if (answer.status() != 200) {
            throw new Skipped("a request was not answered as another fault was near");
        }
    }

    private Optional<ChaosNode> runnerOf(long task) throws Exception {
        try {
            String name = Until.is(PATIENCE, "the run by hand", () -> nodeOf(task));
            return nodes.stream()
                    .filter(node -> node.name().equals(name) && node.running().isPresent())
                    .findFirst();
        } catch (AssertionError e) {
            return Optional.empty(); // it is skipped, for the job is running, or the database is away
        }
    }

    private @Nullable String nodeOf(long task) throws SQLException {
        try (Connection admin = database.admin();
                PreparedStatement look = admin.prepareStatement(
                        "select s.node from task t join session s on s.id = t.session_id where t.id = ? and t.state = 'EXECUTING'")) {
            look.setLong(1, task);
            try (ResultSet row = look.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}
