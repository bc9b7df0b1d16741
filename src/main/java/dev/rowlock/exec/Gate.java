package dev.rowlock.exec;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the launcher knows of {@code gate.sh}, which a command's shell reads before the command: it goes to the working
 * directory and then compares the uptime with the deadline. What has not passed by then never will, so it can be given
 * up.
 */
final class Gate {

    /** For a start to come past the gate; less if the session's deadline is nearer. */
    static final Duration WITHIN = Duration.ofSeconds(30);

    /** So long after the deadline nothing passes, even if a shell was held up after it had looked at the time. */
    static final Duration MARGIN = Duration.ofSeconds(2);

    private static final int EXIT_CODE = 113;

    /** Why a shell was not let through. */
    enum Refusal {
        TOO_LATE("too late"),
        MISSING("missing"),
        NO_DIRECTORY("no directory"),
        CLOSED("closed");

        private final String word;

        Refusal(String word) {
            this.word = word;
        }

        /** For people. */
        String reason(LaunchSpec spec) {
            return switch (this) {
                case TOO_LATE -> "its deadline had passed";
                case MISSING -> "the working directory " + spec.workdir() + " does not exist";
                case NO_DIRECTORY -> "the working directory " + spec.workdir() + " is not a directory";
                case CLOSED -> "the working directory " + spec.workdir() + " may not be entered by the daemon's user";
            };
        }

        private byte[] said(LaunchSpec spec) {
            return ("rowlock: nothing of " + spec.launchId() + " was run: " + word + "\n")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    private Gate() {}

    /** Empty if the command was run. A command that says the gate's exit code itself has another output, or none. */
    static Optional<Refusal> refusal(int exitCode, LaunchSpec spec, OutputFile output) {
        return exitCode != EXIT_CODE
                ? Optional.empty()
                : Arrays.stream(Refusal.values())
                        .filter(refusal -> output.isOnly(refusal.said(spec)))
                        .findFirst();
    }
}
