package dev.rowlock.exec;

import dev.rowlock.exec.output.OutputFile;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Launcher's part of {@code gate.sh}, which a command's shell reads before the command: it goes to the working
 * directory and then compares the uptime with the deadline. What has not passed by then never will, so it can be given
 * up.
 */
public final class Gate {

    /** Time for a start to pass the gate; less if the session's deadline is nearer. */
    public static final Duration WITHIN = Duration.ofSeconds(30);

    /**
     * Time after the deadline from which nothing passes, even if a shell was held up after it had looked at the time.
     */
    static final Duration MARGIN = Duration.ofSeconds(2);

    /** First word of a refusal. No command knows it: the gate unsets the variable. */
    static final String WORD = new BigInteger(128, new SecureRandom()).toString(36);

    private static final int EXIT_CODE = 113;

    private static final String ABOUT = ": ";

    /** Reason why the gate refused a shell. */
    enum Refusal {
        TOO_LATE("too late"),
        MISSING("missing"),
        NO_DIRECTORY("no directory"),
        CLOSED("closed"),
        NO_USER("no such user"),
        /** The node refuses what the job requires; an explanation follows. */
        CANNOT("cannot");

        private final String word;

        Refusal(String word) {
            this.word = word;
        }

        /** Returns the reason for people. */
        private String reason(LaunchSpec spec, String about) {
            String user = spec.options().user();
            return switch (this) {
                case TOO_LATE -> "its deadline had passed";
                case MISSING -> "the working directory " + spec.workdir() + " does not exist";
                case NO_DIRECTORY -> "the working directory " + spec.workdir() + " is not a directory";
                case CLOSED ->
                    "the working directory " + spec.workdir() + " may not be entered by "
                            + (user == null ? "the daemon's user" : "user " + user);
                case NO_USER -> "there is no user " + user + " on this node";
                case CANNOT -> "this node cannot run it as its definition asks: " + about;
            };
        }
    }

    /** Describes, for people, what a shell waits for that does not pass. */
    static String whereabouts(LaunchSpec spec) {
        String where = spec.workdir() == null
                ? "its shell does not come to its first line"
                : "its working directory " + spec.workdir() + " does not answer";
        return spec.options().user() == null
                ? where
                : where + ", or what knows user " + spec.options().user();
    }

    /** @param reason for people */
    record GateRefusal(Refusal refusal, String reason) {}

    private Gate() {}

    /** Returns the refusal; empty if the command was run, even if it ended with the gate's exit code itself. */
    static Optional<GateRefusal> refusal(int exitCode, LaunchSpec spec, OutputFile output) {
        return exitCode != EXIT_CODE
                ? Optional.empty()
                : refusal(spec, output.last())
                        .map(refused -> new GateRefusal(refused.refusal(), output.shown(refused.reason())));
    }

    /** Finds the refusal in the last words; before them, a shell may have complained of the job's locale, say. */
    private static Optional<GateRefusal> refusal(LaunchSpec spec, String said) {
        String start = "rowlock " + WORD + ": nothing was run: ";
        int at = said.lastIndexOf(start);
        if (at < 0) {
            return Optional.empty();
        }
        String[] words = said.substring(at + start.length()).stripTrailing().split(ABOUT, 2);
        return Arrays.stream(Refusal.values())
                .filter(refusal -> refusal.word.equals(words[0]) && (refusal == Refusal.CANNOT) == (words.length == 2))
                .findFirst()
                .map(refusal -> new GateRefusal(refusal, refusal.reason(spec, words[words.length - 1])));
    }

    static GateRefusal tooLate(LaunchSpec spec) {
        return new GateRefusal(Refusal.TOO_LATE, Refusal.TOO_LATE.reason(spec, ""));
    }
}
