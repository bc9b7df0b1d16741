package dev.rowlock;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.engine.ClockWatch;
import dev.rowlock.engine.WriterWatch;
import dev.rowlock.engine.schedule.TaskProblems;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.engine.session.Readiness;
import dev.rowlock.engine.session.Schema;
import dev.rowlock.exec.Processes;
import java.util.Optional;

/** How a node fares, in sentences for people; each is empty while nothing is wrong. Thread-safe, and asks no database. */
public final class NodeHealth {

    private final Readiness readiness;
    private final Schema schema;
    private final DatabaseClock clock;
    private final Processes processes;
    private final KnownSessions knownSessions;
    private final TaskProblems taskProblems;
    private final WriterWatch writerWatch;

    NodeHealth(
            Readiness readiness,
            Schema schema,
            DatabaseClock clock,
            Processes processes,
            KnownSessions knownSessions,
            TaskProblems taskProblems,
            WriterWatch writerWatch) {
        this.readiness = readiness;
        this.schema = schema;
        this.clock = clock;
        this.processes = processes;
        this.knownSessions = knownSessions;
        this.taskProblems = taskProblems;
        this.writerWatch = writerWatch;
    }

    /** Why this node takes no work. */
    public Optional<String> notReady() {
        return readiness.first(schema.isCurrent()).or(this::clockProblem);
    }

    /** Why the database's clock is not believed. */
    public Optional<String> clockProblem() {
        return ClockWatch.problem(clock);
    }

    /** What goes wrong with output though the node takes work. */
    public Optional<String> outputProblem() {
        return processes.outputProblem();
    }

    /** What keeps single commands from beginning though the node takes work. */
    public Optional<String> startProblem() {
        return processes.startProblem();
    }

    /** What this node and others are set to differently, or that nothing is. */
    public String settings() {
        return knownSessions.settings();
    }

    /** What this node leaves to others, or the cluster has set aside, though the node takes work; or that there is nothing of the kind. */
    public String tasks() {
        boolean seen = !knownSessions.members().isEmpty();
        return taskProblems.text().orElse(seen ? "all go on" : "not known yet: this node has not joined");
    }

    /** Which servers of {@code database.url} take writes at the same time, and what that may lead to. */
    public Optional<String> writersProblem() {
        return writerWatch.problem();
    }
}
