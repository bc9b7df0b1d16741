package dev.rowlock.cli.call;

import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Cause;
import dev.rowlock.task.TaskState;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values of options that take words of the API: help names them, and shells complete them. */
public final class KnownValues {

    private KnownValues() {}

    /** Returns a word in any letters as the API writes words in capitals. */
    public static @Nullable String capitals(@Nullable String word) {
        return word == null ? null : word.toUpperCase(Locale.ROOT);
    }

    /** Returns a word in any letters as the API writes other words. */
    public static @Nullable String small(@Nullable String word) {
        return word == null ? null : word.toLowerCase(Locale.ROOT);
    }

    /** Words of one kind. */
    abstract static class ValueList implements Iterable<String> {

        private final List<String> words;

        ValueList(String... words) {
            this.words = List.of(words);
        }

        ValueList(Enum<?>[] constants) {
            this.words = Arrays.stream(constants).map(Enum::name).toList();
        }

        @Override
        public Iterator<String> iterator() {
            return words.iterator();
        }
    }

    /** Outcomes of tasks. */
    public static final class TaskOutcomes extends ValueList {
        TaskOutcomes() {
            super(Outcome.values());
        }
    }

    /** Outcomes of tasks that may run again. */
    public static final class Repeatable extends ValueList {
        Repeatable() {
            super("FAILED", "LOST", "MISSED", "TIMED_OUT", "KILLED", "SKIPPED", "CANCELLED");
        }
    }

    /** Causes of tasks. */
    public static final class Causes extends ValueList {
        Causes() {
            super(Cause.values());
        }
    }

    /** States of tasks, live and ended. */
    public static final class States extends ValueList {
        States() {
            super(Stream.concat(Arrays.stream(TaskState.values()).map(Enum::name), Stream.of("ENDED"))
                    .toArray(String[]::new));
        }
    }

    /** States of alerts, and of their messages. */
    public static final class AlertStates extends ValueList {
        AlertStates() {
            super("OPEN", "CLOSED", "WAITING", "SENT", "SILENCED", "GIVEN_UP");
        }
    }

    /** Policies for an occurrence that comes while its job runs. */
    public static final class Overlaps extends ValueList {
        Overlaps() {
            super(Overlap.values());
        }
    }

    /** Roles of tokens. */
    public static final class Roles extends ValueList {
        Roles() {
            super("viewer", "operator", "editor", "admin");
        }
    }

    /** Actions in the audit. */
    public static final class Actions extends ValueList {
        Actions() {
            super(
                    "create",
                    "replace",
                    "patch",
                    "delete",
                    "rollback",
                    "apply",
                    "pause",
                    "resume",
                    "run",
                    "rerun",
                    "backfill",
                    "cancel",
                    "release",
                    "reschedule",
                    "kill",
                    "drain",
                    "undrain",
                    "accept",
                    "rotate",
                    "sign_in",
                    "sign_out",
                    "sign_in_failed");
        }
    }

    /** Kinds of what is changed. */
    public static final class Kinds extends ValueList {
        Kinds() {
            super(
                    "job",
                    "task",
                    "group",
                    "calendar",
                    "node",
                    "token",
                    "secret",
                    "session",
                    "silence",
                    "freeze",
                    "alert-rule",
                    "alert-channel",
                    "cluster",
                    "retention");
        }
    }

    /** Widths of a forecast's columns. */
    public static final class Widths extends ValueList {
        Widths() {
            super("hour", "minute");
        }
    }
}
