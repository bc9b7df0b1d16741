package dev.rowlock;

import dev.rowlock.engine.ClockWatch;
import dev.rowlock.engine.WriterWatch;
import dev.rowlock.engine.session.Readiness;
import dev.rowlock.engine.session.Schema;
import java.util.Optional;

/** How a node fares, in sentences for people; each is empty while nothing is wrong. Thread-safe, and asks no database. */
public final class NodeHealth {

    private final Agents agents;
    private final Readiness readiness;
    private final Schema schema;
    private final WriterWatch writerWatch;

    NodeHealth(Agents agents, Schema schema, WriterWatch writerWatch) {
        this.agents = agents;
        this.readiness = agents.session().readiness(agents.outage());
        this.schema = schema;
        this.writerWatch = writerWatch;
    }

    /** Why this node takes no work. */
    public Optional<String> notReady() {
        return readiness.first(schema.isCurrent()).or(this::clockProblem);
    }

    /** Why the database's clock is not believed. */
    public Optional<String> clockProblem() {
        return ClockWatch.problem(agents.node().clock());
    }

    /** What goes wrong with output though the node takes work. */
    public Optional<String> outputProblem() {
        return agents.results().processes().outputProblem();
    }

    /** What keeps single commands from beginning though the node takes work. */
    public Optional<String> startProblem() {
        return agents.results().processes().startProblem();
    }

    /** What this node and others are set to differently, or that nothing is. */
    public String settings() {
        return agents.session().known().settings();
    }

    /** What this node leaves to others, or the cluster has set aside, though the node takes work; or that there is nothing of the kind. */
    public String tasks() {
        boolean seen = !agents.session().known().members().isEmpty();
        return agents.scheduling().problem().orElse(seen ? "all go on" : "not known yet: this node has not joined");
    }

    /** Which servers of {@code database.url} take writes at the same time, and what that may lead to. */
    public Optional<String> writersProblem() {
        return writerWatch.problem();
    }
}
