package dev.rowlock.chaos;

import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Direction;
import java.time.Duration;
import java.util.List;

/** The network between nodes and database: of one node, or of all at once. */
final class NetworkFaults {

    private static final int TRAPS = 3;

    private final List<ChaosNode> nodes;

    NetworkFaults(List<ChaosNode> nodes) {
        this.nodes = nodes;
    }

    Fault of(Planned planned) {
        boolean everybody = planned.salt() % 4 == 0;
        List<ChaosNode> hit = everybody ? nodes : List.of(nodes.get(planned.node()));
        String who = everybody ? " of all nodes" : " of node " + hit.get(0).name();
        Fault.Step begin = () -> hit.forEach(node -> node.relays().forEach(relay -> begin(planned, relay)));
        return Fault.of(
                planned.kind() + who,
                begin,
                () -> hit.forEach(node -> node.relays().forEach(TcpRelay::passThrough)));
    }

    private static void begin(Planned planned, TcpRelay relay) {
        switch (planned.kind()) {
            case DELAY -> relay.delay(Duration.ofMillis(20 + planned.salt() % 500));
            case CUT -> relay.cutAll();
            case BLACKHOLE_TO_SERVER -> relay.blackhole(Direction.TO_SERVER);
            case BLACKHOLE_TO_CLIENT -> relay.blackhole(Direction.TO_CLIENT);
            case AWAY -> relay.goAway();
            case CUT_AFTER_COMMIT -> {
                for (int i = 0; i < TRAPS; i++) {
                    relay.cutAfter(TcpRelay.statement("commit"));
                }
            }
            case CUT_BEFORE_COMMIT -> {
                for (int i = 0; i < TRAPS; i++) {
                    relay.cutBefore(TcpRelay.statement("commit"));
                }
            }
            default -> throw new IllegalArgumentException(planned.kind().toString());
        }
    }
}
