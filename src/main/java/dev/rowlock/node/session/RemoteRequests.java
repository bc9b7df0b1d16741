package dev.rowlock.node.session;

import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.recorder.OutputKeeper;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.rerun.Requests;
import dev.rowlock.task.rerun.Requests.RequestKind;
import dev.rowlock.task.rerun.Requests.TaskRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Execution of others' requests to this session about its commands. A request to end a command that does not run here
 * stays while the table has it as executing: the commit that started it may not have been answered yet.
 */
final class RemoteRequests {

    private final Requests requests;
    private final Processes processes;
    private final OutputKeeper outputs;

    RemoteRequests(Requests requests, Processes processes, OutputKeeper outputs) {
        this.requests = requests;
        this.processes = processes;
        this.outputs = outputs;
    }

    /**
     * Executes the requests.
     *
     * @param asked false: there are none, as was read already
     */
    void run(String session, boolean asked) {
        Set<LaunchId> followed = new HashSet<>();
        for (TaskRequest request : asked ? requests.of(session) : List.<TaskRequest>of()) {
            if (request.kind() == RequestKind.FOLLOW) {
                followed.add(request.launch());
            } else if (processes.kill(request.launch(), StopCause.REQUEST)
                    || !requests.holds(session, request.launch())) {
                requests.done(session, request);
            }
        }
        outputs.follow(followed);
    }
}
