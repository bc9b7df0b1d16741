package dev.rowlock.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What is wrong, and what is merely worth knowing. Thread-safe. */
final class Findings {

    /** A promise that was not kept. */
    enum Kind {
        /** A fire time that is nowhere, or a run that is told of but never was. */
        LOST,
        /** Started twice, or run again without a reason. */
        DOUBLED,
        /** Two runs at a time of a job that allows one. */
        OVERLAPPING,
        /** More at a time than a limit allows: of a group, a job, a job on one node. */
        CROWDED,
        /** On a node on which it must not run. */
        MISPLACED,
        /** A later occurrence before an earlier one that was to go first. */
        DISORDERED,
        /** A command alive when its session was expired, or after everything was stopped. */
        ORPHAN,
        WRONG_OUTCOME,
        /** Run although nobody asked for it. */
        UNASKED,
        /** An answer 5xx that is not documented. */
        SERVER_ERROR,
        /** A node that ended, or did not come back. */
        NODE,
        /** Later than a fault excuses. */
        LATE,
        /** Settled, purged or moved on as if a time had come that had not. */
        AHEAD,
        /** Something did not come to its end after all faults were over. */
        STUCK,
        /** {@code verify} does not add up. */
        UNVERIFIED,
        /** {@code explain} says something else than history. */
        UNEXPLAINED
    }

    private final Map<Kind, List<String>> violations = new EnumMap<>(Kind.class);
    private final List<String> notes = new ArrayList<>();
    private final List<String> judged = new ArrayList<>();

    synchronized void add(Kind kind, String what) {
        violations.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
    }

    synchronized void note(String what) {
        notes.add(what);
    }

    /** How much there was to judge of something that is drawn. */
    synchronized void judged(String what) {
        judged.add(what);
    }

    synchronized List<String> judged() {
        return List.copyOf(judged);
    }

    synchronized int count(Kind kind) {
        return violations.getOrDefault(kind, List.of()).size();
    }

    synchronized boolean areNone() {
        return violations.isEmpty();
    }

    synchronized List<String> notes() {
        return List.copyOf(notes);
    }

    /** Those of one kind. */
    synchronized List<String> of(Kind kind) {
        return List.copyOf(violations.getOrDefault(kind, List.of()));
    }
}
