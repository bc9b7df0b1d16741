package dev.rowlock.api;

import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.request.RunningCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Commands that this node is said to be executing. */
public final class PretendedTasks implements RunningCommands {

    private final Map<LaunchId, CommandOutput> outputs = new ConcurrentHashMap<>();
    private final List<LaunchId> killed = new CopyOnWriteArrayList<>();

    void writes(String launch, String text) {
        writes(launch, new CommandOutput(text.length(), text.getBytes(StandardCharsets.UTF_8), new byte[0]));
    }

    void writes(String launch, CommandOutput output) {
        outputs.put(new LaunchId(launch), output);
    }

    List<LaunchId> killed() {
        return killed;
    }

    void clear() {
        outputs.clear();
        killed.clear();
    }

    @Override
    public Optional<CommandOutput> output(LaunchId launch) {
        return Optional.ofNullable(outputs.get(launch));
    }

    @Override
    public void kill(LaunchId launch) {
        killed.add(launch);
    }
}
