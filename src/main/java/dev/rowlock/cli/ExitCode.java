package dev.rowlock.cli;

/** Every exit code of every command. Constants rather than an enum, so that help texts can name them. */
public final class ExitCode {

    /** Done; a node: stopped in order. */
    public static final int DONE = 0;
    /** Not done, for a reason that has no code of its own; {@code verify}: something does not add up. */
    public static final int FAILED = 1;
    /** The command line is not understood, or names what does not exist: {@code EX_USAGE} of sysexits.h. */
    public static final int USAGE = 64;
    /** The database is not there or refuses, or a file cannot be written: {@code EX_UNAVAILABLE} of sysexits.h. */
    public static final int UNAVAILABLE = 69;
    /** A fault of Rowlock itself: {@code EX_SOFTWARE} of sysexits.h. */
    public static final int BROKEN = 70;
    /** The settings are wrong, or do not fit this host or cluster: {@code EX_CONFIG} of sysexits.h. */
    public static final int CONFIGURATION = 78;
    /** Ended at once by a second signal, as a shell reports SIGKILL. */
    public static final int KILLED = 137;

    private ExitCode() {}
}
