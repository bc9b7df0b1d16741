package dev.rowlock;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.exec.Processes;
import dev.rowlock.node.ClockWatch;
import dev.rowlock.node.HistoryKeeper;
import dev.rowlock.node.WriterWatch;
import dev.rowlock.node.session.Readiness;
import dev.rowlock.node.session.Schema;
import dev.rowlock.report.ReadinessChecks.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Health of a node, in sentences for people. Thread-safe, and asks no database. */
public final class NodeHealth {

    private static final String UNKNOWN = "not known yet: this node has not joined";

    private final Agents agents;
    private final Readiness readiness;
    private final Schema schema;
    private final WriterWatch writers;
    private final HistoryKeeper history;
    private final List<Supplier<Check>> further = new CopyOnWriteArrayList<>();

    NodeHealth(Agents agents, Schema schema, WriterWatch writers, HistoryKeeper history) {
        this.agents = agents;
        this.readiness = agents.session().readiness(agents.outage());
        this.schema = schema;
        this.writers = writers;
        this.history = history;
    }

    /** Returns why this node takes no work. */
    public Optional<String> notReady() {
        return readiness.first(schema.problem()).or(this::clockProblem).or(this::timeless);
    }

    /**
     * Returns why requests are refused for lack of a time: the first node of a cluster reads that right after it has
     * joined.
     */
    private Optional<String> timeless() {
        return agents.node().clock().isKnown()
                ? Optional.empty()
                : Optional.of("this node has just joined and does not know the database's time yet");
    }

    /** Returns why the database's clock is not believed. */
    public Optional<String> clockProblem() {
        return ClockWatch.problem(agents.node().clock());
    }

    /** Adds a check. */
    void add(Supplier<Check> check) {
        further.add(check);
    }

    /** Returns the checks of {@code /readyz}: only the first one decides whether the node is ready. */
    List<Check> checks(String adminToken) {
        Optional<String> problem = notReady();
        Processes processes = agents.results().processes();
        boolean joined = !agents.session().known().members().isEmpty();
        List<Check> checks = new ArrayList<>(List.of(
                new Check("node", problem.isEmpty(), problem.orElse("joined, and takes work")),
                new Check("commands", true, processes.startProblem().orElse("none is stuck in its start")),
                new Check("admin-token", true, adminToken),
                new Check("output", true, processes.outputProblem().orElse("kept")),
                new Check("history", true, history.said()),
                new Check("settings", true, agents.session().known().settings()),
                new Check("servers", true, writers.problem().orElse(writers.hasAsked() ? "one takes writes" : UNKNOWN)),
                new Check("secrets", true, agents.scheduling().secrets()),
                new Check("freezes", true, freezes()),
                new Check("tasks", true, agents.scheduling().problem().orElse(joined ? "all go on" : UNKNOWN))));
        further.forEach(check -> checks.add(check.get()));
        return checks;
    }

    private String freezes() {
        DatabaseClock clock = agents.node().clock();
        long inForce = clock.isKnown() ? agents.node().freezes().current().inForce(clock.now()) : 0;
        return inForce == 0 ? "none is in force" : inForce + (inForce == 1 ? " is in force" : " are in force");
    }
}
