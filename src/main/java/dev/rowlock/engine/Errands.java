package dev.rowlock.engine;

import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Requests;
import dev.rowlock.store.Requests.Asked;
import dev.rowlock.store.Requests.Kind;
import java.util.HashSet;
import java.util.Set;

/** Does what others ask of this session about its commands. */
final class Errands {

    private final Requests requests;
    private final Processes processes;
    private final OutputKeeper outputs;

    Errands(Requests requests, Processes processes, OutputKeeper outputs) {
        this.requests = requests;
        this.processes = processes;
        this.outputs = outputs;
    }

    void run(String session) {
        Set<LaunchId> followed = new HashSet<>();
        for (Asked asked : requests.of(session)) {
            if (asked.kind() == Kind.FOLLOW) {
                followed.add(asked.launch());
            } else {
                processes.kill(asked.launch(), StopCause.REQUEST);
                requests.done(session, asked);
            }
        }
        outputs.follow(followed);
    }
}
