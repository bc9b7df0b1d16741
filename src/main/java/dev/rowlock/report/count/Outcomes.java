package dev.rowlock.report.count;

import dev.rowlock.definition.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Numbers by outcome: of fire times for what did not run, otherwise of tasks. Mutable, for one thread. */
final class Outcomes {

    /** Outcomes counted by day, in the order of the columns; by minute, cancelled ones too. */
    static final List<Outcome> BY_DAY = List.of(
            Outcome.SUCCEEDED,
            Outcome.FAILED,
            Outcome.TIMED_OUT,
            Outcome.KILLED,
            Outcome.LOST,
            Outcome.SKIPPED,
            Outcome.MISSED);

    private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);

    /** Reads columns that are named after the outcomes. */
    static Outcomes read(ResultSet row) throws SQLException {
        Outcomes outcomes = new Outcomes();
        for (Outcome outcome : BY_DAY) {
            outcomes.counts.put(outcome, row.getLong(outcome.name().toLowerCase(Locale.ROOT)));
        }
        return outcomes;
    }

    void add(CountedRow row) {
        boolean ofFireTimes = row.outcome() == Outcome.SKIPPED || row.outcome() == Outcome.MISSED;
        counts.merge(row.outcome(), ofFireTimes ? row.occurrences() : 1, Long::sum);
    }

    long of(Outcome outcome) {
        return counts.getOrDefault(outcome, 0L);
    }

    List<Long> byDay() {
        return BY_DAY.stream().map(this::of).toList();
    }
}
