package dev.rowlock.cli.call;

import java.util.List;

/** Failure of a command for a reason that the operator can act upon. */
public final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final transient List<String> sentences;

    /** @param exitCode one of {@link ExitCode} */
    public CommandFailed(int exitCode, String sentence) {
        this(exitCode, List.of(sentence));
    }

    /** @param exitCode one of {@link ExitCode} */
    public CommandFailed(int exitCode, List<String> sentences) {
        super(String.join("\n", sentences), null, false, false);
        this.exitCode = exitCode;
        this.sentences = List.copyOf(sentences);
    }

    public int exitCode() {
        return exitCode;
    }

    public List<String> sentences() {
        return sentences;
    }
}
