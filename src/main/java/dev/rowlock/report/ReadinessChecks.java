package dev.rowlock.report;

import java.util.List;

/** Readiness checks of this node, which answer at once, without the database. */
public interface ReadinessChecks {

    /** @param message what is wrong, or what is well */
    record Check(String name, boolean ok, String message) {}

    List<Check> checks();
}
