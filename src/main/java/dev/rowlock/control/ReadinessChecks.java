package dev.rowlock.control;

import java.util.List;

/** Whether this node can do its work, and what is in the way. Must answer at once, without the database. */
public interface ReadinessChecks {

    /** @param message what is wrong, or what is well */
    record Check(String name, boolean ok, String message) {}

    List<Check> checks();
}
