package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.exec.Uptime;
import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.util.List;

/**
 * The primary of a group killed, frozen or replaced as planned. When the group takes writes again, so does the cluster
 * soon after.
 */
final class GroupFaults {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ChaosDatabase database;
    private final List<ChaosNode> nodes;
    private final List<Workload.Planned> jobs;
    private final Findings findings;
    private final Stalls stalls;

    GroupFaults(
            ChaosDatabase database,
            List<ChaosNode> nodes,
            List<Workload.Planned> jobs,
            Findings findings,
            Stalls stalls) {
        this.database = database;
        this.nodes = nodes;
        this.jobs = jobs;
        this.findings = findings;
        this.stalls = stalls;
    }

    Fault of(Planned planned) throws Skipped {
        if (!(database.server() instanceof GroupServer group)) {
            throw new Skipped("the database is no group of servers");
        }
        return switch (planned.kind()) {
            case PRIMARY_KILL -> new Failover(group, planned, "kill-primary");
            case PRIMARY_FREEZE -> new Failover(group, planned, "freeze-primary");
            case PRIMARY_SWITCH -> new Failover(group, planned, "switch");
            default -> throw new IllegalArgumentException(planned.kind().toString());
        };
    }

    /** From the loss of a primary until the group is whole again. */
    private final class Failover implements Fault {
        private final GroupServer group;
        private final Planned planned;
        private final String verb;
        private int former;
        private long began;
        private long goodFrom = -1;
        private String recovery = "";
        private List<String> complaints = List.of();

        Failover(GroupServer group, Planned planned, String verb) {
            this.group = group;
            this.planned = planned;
            this.verb = verb;
        }

        @Override
        public String what() {
            return verb + " of member " + former + ", a new primary after "
                    + (goodFrom < 0 ? "too long" : Texts.seconds(goodFrom - began)) + recovery;
        }

        @Override
        public void begin() throws Exception {
            began = Uptime.millis();
            former = group.change(verb);
            try {
                Until.holds(
                        LIMIT,
                        "a new primary of the group",
                        () -> group.members().stream().anyMatch(m -> m != former && group.takesWrites(m)));
            } catch (AssertionError e) {
                findings.add(Kind.NODE, "the group itself has not recovered: " + e.getMessage());
                return;
            }
            goodFrom = Uptime.millis();
            Recovery probe = new Recovery(database, nodes, jobs.get(planned.salt() % jobs.size()), stalls);
            recovery = "; since then: " + probe.watch(goodFrom, Punctuality.ALLOWED.get(planned.kind()));
            complaints = probe.complaints();
        }

        @Override
        public List<String> complaints() {
            return complaints;
        }

        @Override
        public long goodFrom() {
            return goodFrom;
        }

        @Override
        public void end() throws Exception {
            group.rejoin(former);
        }
    }
}
