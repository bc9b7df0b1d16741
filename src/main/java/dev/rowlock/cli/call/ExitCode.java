package dev.rowlock.cli.call;

/**
 * Exit codes of all commands. Constants rather than an enum, so that help texts can name them. Commands that ask a node
 * know 0 to 4 alone; {@code job run --follow} ends with the code of the job's command.
 */
public final class ExitCode {

    /** Done; a node: stopped in order; what compares: there is no difference. */
    public static final int DONE = 0;
    /** Not done, for a reason that has no code of its own; {@code verify}: something does not add up. */
    public static final int FAILED = 1;
    /** A comparison has found a difference; as {@code diff} says it. */
    public static final int DIFFERENT = 1;
    /** The command line is not understood, or names what does not exist. */
    public static final int USAGE = 2;
    /** A comparison was not possible: 1 would say that there is a difference. */
    public static final int NOT_COMPARED = 3;
    /** The token is none, is not valid, or does not reach so far. */
    public static final int NOT_ALLOWED = 4;
    /** The database is not there or refuses, or a file cannot be written: {@code EX_UNAVAILABLE} of sysexits.h. */
    public static final int UNAVAILABLE = 69;
    /** A fault of Rowlock itself: {@code EX_SOFTWARE} of sysexits.h. */
    public static final int BROKEN = 70;
    /** The settings are wrong, or do not fit this host or cluster: {@code EX_CONFIG} of sysexits.h. */
    public static final int CONFIGURATION = 78;
    /** Ctrl-C, as a shell reports SIGINT. */
    public static final int INTERRUPTED = 130;
    /** Ended at once by a second signal, as a shell reports SIGKILL. */
    public static final int KILLED = 137;

    private ExitCode() {}
}
