package dev.rowlock.exec;

import dev.rowlock.definition.Command;
import dev.rowlock.exec.output.OutputFile;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.secret.Masks;
import dev.rowlock.secret.SecretSource;
import dev.rowlock.secret.SecretValue;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a launch.
 *
 * @param sessionId the session that the command belongs to; the guard kills by it
 * @param command a list of arguments only if the options say that there is no shell
 * @param workdir absolute; null: the home directory of its user, or {@code /}. Only the command's shell looks at it
 * @param environment all variables but {@code PATH}, {@code HOME} and {@code LANG}, which may be overridden, as may
 *     {@code USER} and {@code LOGNAME} of a user that is named, and {@code ROWLOCK_LAUNCH_ID} and {@code
 *     ROWLOCK_SESSION}, by which processes are found
 * @param secrets further variables, which win over those; they are read when the process is made
 * @param timeout counted from the start of the process; null: none
 * @param killGrace the time between TERM and KILL, also for what a command leaves behind when it ends
 * @param deadlineUptimeMillis nothing of the command is run once {@link Uptime#millis()} has reached this value
 */
public record LaunchSpec(
        LaunchId launchId,
        String sessionId,
        Command command,
        @Nullable Path workdir,
        Map<String, String> environment,
        Map<String, SecretSource> secrets,
        RunOptions options,
        @Nullable Duration timeout,
        Duration killGrace,
        long deadlineUptimeMillis) {

    public LaunchSpec {
        environment = Map.copyOf(environment);
        secrets = Map.copyOf(secrets);
    }

    /**
     * Reads the present values of the secrets. May wait for a disk.
     *
     * @throws IOException one of them cannot be had; with a message for people
     */
    Map<String, SecretValue> readSecrets() throws IOException {
        Map<String, SecretValue> values = new HashMap<>();
        for (Map.Entry<String, SecretSource> secret : secrets.entrySet()) {
            values.put(secret.getKey(), secret.getValue().read());
        }
        return values;
    }

    /**
     * Returns a specification with the secrets read. Before the command can write anything, its output knows what to
     * mask.
     *
     * @throws IOException one of them cannot be had; with a message for people
     */
    LaunchSpec withSecretsKnown(OutputFile output) throws IOException {
        if (secrets.isEmpty()) {
            return this;
        }
        Map<String, SecretValue> values = readSecrets();
        output.mask(Masks.of(values.values()));
        Map<String, SecretSource> known = new HashMap<>();
        values.forEach((name, value) -> known.put(name, SecretSource.of(value)));
        return new LaunchSpec(
                launchId,
                sessionId,
                command,
                workdir,
                environment,
                known,
                options,
                timeout,
                killGrace,
                deadlineUptimeMillis);
    }

    /** Creates a specification without secrets. */
    public LaunchSpec(
            LaunchId launchId,
            String sessionId,
            Command command,
            @Nullable Path workdir,
            Map<String, String> environment,
            RunOptions options,
            @Nullable Duration timeout,
            Duration killGrace,
            long deadlineUptimeMillis) {
        this(
                launchId,
                sessionId,
                command,
                workdir,
                environment,
                Map.of(),
                options,
                timeout,
                killGrace,
                deadlineUptimeMillis);
    }

    /** Creates a specification of a script for bash, run as the daemon runs. */
    public LaunchSpec(
            LaunchId launchId,
            String sessionId,
            String command,
            @Nullable Path workdir,
            Map<String, String> environment,
            @Nullable Duration timeout,
            Duration killGrace,
            long deadlineUptimeMillis) {
        this(
                launchId,
                sessionId,
                Command.of(command),
                workdir,
                environment,
                RunOptions.NONE,
                timeout,
                killGrace,
                deadlineUptimeMillis);
    }
}
