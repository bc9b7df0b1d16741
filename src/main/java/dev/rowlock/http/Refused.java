package dev.rowlock.http;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredJob;

/** Refusal of a well-formed request that cannot be carried out as things stand; nothing was changed. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Reason for a refusal. */
    public enum Reason {
        NOT_FOUND,
        /** The subject is not, or no longer, in the version that the request names. */
        OTHER_VERSION,
        /** The request makes no sense in the current state. */
        CONFLICT,
        /** Too much of the same is going on; it may be possible later. */
        BUSY,
        /** The node lacks a setting. */
        NOT_CONFIGURED
    }

    private final Reason reason;

    public Refused(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public static Refused noSuchJob(JobKey key) {
        return new Refused(Reason.NOT_FOUND, "there is no job " + key);
    }

    /** Refuses what needs the fire times of a job whose definition this node does not understand. */
    public static Refused notUnderstood(StoredJob job) {
        return new Refused(
                Reason.CONFLICT,
                "this node does not understand the definition of job " + job.key() + " ("
                        + job.stored().problem()
                        + ") and cannot tell its fire times: ask a node of a newer version, or replace the whole"
                        + " definition");
    }

    public Reason reason() {
        return reason;
    }
}
