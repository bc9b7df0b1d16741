package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A member of a group of servers killed, frozen, cut off, stopped or replaced as planned. When the group takes writes
 * again, so does the cluster soon after.
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
        if (!(database.server() instanceof ServerGroup group)) {
            throw new Skipped("the database is no group of servers");
        }
        return new Failover(group, planned);
    }

    /** From the loss of a member until the group is whole again. */
    private final class Failover implements Fault {
        private final ServerGroup group;
        private final Planned planned;
        private int former;
        private long began;
        private long goodFrom = -1;
        private String recovery = "";
        private List<String> complaints = List.of();

        Failover(ServerGroup group, Planned planned) {
            this.group = group;
            this.planned = planned;
        }

        @Override
        public String what() {
            return planned.kind() + " of member " + former + ", writes of the others after "
                    + (goodFrom < 0 ? "too long" : Texts.seconds(goodFrom - began)) + recovery;
        }

        @Override
        public void begin() throws Exception {
            began = Uptime.millis();
            former = group.takeAway(planned);
            try {
                Until.holds(
                        LIMIT, "the other members of the group to take writes", () -> group.takesWritesWithout(former));
            } catch (AssertionError e) {
                findings.add(Kind.NODE, "the group itself has not recovered: " + e.getMessage());
                return;
            }
            goodFrom = Uptime.millis();
            Recovery probe = new Recovery(database, remaining(), jobs.get(planned.salt() % jobs.size()), stalls);
            recovery = "; since then: " + probe.watch(goodFrom, Punctuality.ALLOWED.get(planned.kind()));
            complaints = probe.complaints();
        }

        private List<ChaosNode> remaining() {
            return IntStream.range(0, nodes.size())
                    .filter(node -> group.canDoWithout(former, node))
                    .mapToObj(nodes::get)
                    .toList();
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
