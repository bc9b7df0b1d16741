package dev.rowlock;

import dev.rowlock.bench.NoProcesses;
import dev.rowlock.config.Config;
import dev.rowlock.exec.Supervisor;

/** {@code scripts/rowlock server}, with commands replaced by nothing: all of a node but the making of processes. */
public final class NodeWithoutProcesses {

    private NodeWithoutProcesses() {}

    public static void main(String[] args) throws Exception {
        Config config = Config.load(null, System.getenv(), false);
        new Daemon(
                        config,
                        "bench",
                        Supervisor.none(),
                        plan -> new Node(plan, (guarded, ended) -> new NoProcesses(ended)))
                .run();
        System.exit(0);
    }
}
