package dev.rowlock.chaos;

import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.support.NodeProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nodes killed, frozen and restarted. */
final class NodeFaults {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(90);

    private final List<ChaosNode> nodes;
    private final ChaosDatabase database;
    private final Findings findings;

    NodeFaults(List<ChaosNode> nodes, ChaosDatabase database, Findings findings) {
        this.nodes = nodes;
        this.database = database;
        this.findings = findings;
    }

    Fault of(Planned planned) throws Exception {
        if (planned.kind() == FaultKind.MIXED_SETTINGS) {
            return patient(nodes);
        }
        ChaosNode node = nodes.get(planned.node());
        NodeProcess process = alive(node);
        String who = " of node " + node.name();
        return switch (planned.kind()) {
            case KILL -> Fault.of("SIGKILL" + who, node::kill, node::start);
            case KILL_WITH_GUARD -> Fault.of("SIGKILL" + who + " and its guard", node::killWithGuard, node::start);
            case POWER_LOSS -> Fault.of("power loss" + who, () -> losePower(node), node::start);
            case KILL_GUARD -> Fault.of("SIGKILL of the guard" + who, () -> killGuards(awake(process)), () -> {});
            case FREEZE -> Fault.of("SIGSTOP" + who, process::freeze, process::thaw);
            case RESTART ->
                planned.salt() % 3 == 0
                        ? Fault.of("rolling restart of all nodes", this::restartAll, () -> {})
                        : Fault.of("SIGTERM and restart" + who, () -> stop(node), node::start);
            default -> throw new IllegalArgumentException(planned.kind().toString());
        };
    }

    /**
     * For longer than the timeout of the others, and shorter than its own fence: its commands go on, and they must be
     * nobody else's.
     */
    private static Fault patient(List<ChaosNode> nodes) throws Fault.Skipped {
        ChaosNode patient = nodes.get(ChaosNode.PATIENT % nodes.size());
        NodeProcess process =
                patient.running().orElseThrow(() -> new Fault.Skipped("another fault has the patient node down"));
        return Fault.of(
                "SIGSTOP of node " + patient.name() + ", which has a longer timeout", process::freeze, process::thaw);
    }

    /** What died without our doing is a finding, and started again, so that the run can go on. */
    private NodeProcess alive(ChaosNode node) throws Exception {
        Optional<String> death = node.diedByItself();
        if (death.isPresent()) {
            findings.add(Findings.Kind.NODE, death.get());
            node.start();
        }
        return node.running().orElseThrow(() -> new Fault.Skipped("another fault has the node down"));
    }

    private void restartAll() throws Exception {
        for (ChaosNode node : nodes) {
            NodeProcess unused = alive(node);
            stop(node);
            node.start();
        }
    }

    private void stop(ChaosNode node) throws Exception {
        node.stop(STOP_LIMIT).ifPresent(how -> findings.add(Findings.Kind.NODE, how));
    }

    /** Nobody promises anything of a node whose process is frozen while its guard is killed. */
    private static NodeProcess awake(NodeProcess process) throws Fault.Skipped {
        if (Processes.isStopped(process.pid())) {
            throw new Fault.Skipped("another fault has the node frozen, and only its guard stands by its commands");
        }
        return process;
    }

    private static void killGuards(NodeProcess process) {
        Processes.guardsOf(process.pid()).forEach(Processes::kill);
    }

    /** As on another host: nobody sees that the process is gone, and its commands are gone with it. */
    private void losePower(ChaosNode node) throws Exception {
        List<String> sessions;
        try {
            sessions = sessionsElsewhere(node.name());
        } catch (SQLException e) {
            // The database is away too: then the others see that the process is gone, and clean up.
            findings.note("the power loss of node " + node.name() + " was one that its neighbours could see: "
                    + e.getMessage());
            sessions = List.of();
        }
        node.killWithGuard();
        for (String session : sessions) {
            int quiet = 0;
            while (quiet < 3) {
                List<Processes.Found> left = Processes.with("ROWLOCK_SESSION", session);
                left.forEach(p -> Processes.kill(p.pid()));
                quiet = left.isEmpty() ? quiet + 1 : 0;
            }
        }
    }

    private List<String> sessionsElsewhere(String node) throws SQLException {
        List<String> sessions = new ArrayList<>();
        try (Connection admin = database.admin();
                PreparedStatement move =
                        admin.prepareStatement("update session set boot_id = 'elsewhere' where node = ?");
                PreparedStatement look = admin.prepareStatement("select id from session where node = ?")) {
            move.setString(1, node);
            move.executeUpdate();
            look.setString(1, node);
            try (ResultSet rows = look.executeQuery()) {
                while (rows.next()) {
                    sessions.add(rows.getString(1));
                }
            }
        }
        return sessions;
    }
}
