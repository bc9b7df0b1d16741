package dev.rowlock.report.count;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums to be added to rows of {@code history_minute}. Mutable, for one thread. */
final class MinuteTally {

    static final String ADD = """
            insert into history_minute (minute, fires, succeeded, failed, timed_out, killed, lost, skipped, missed,
                   cancelled)
            select v.* from json_table(:rows, '$[*]' columns (
                     minute varchar(23) character set ascii path '$[0]', fires bigint path '$[1]',
                     succeeded bigint path '$[2]', failed bigint path '$[3]', timed_out bigint path '$[4]',
                     killed bigint path '$[5]', lost bigint path '$[6]', skipped bigint path '$[7]',
                     missed bigint path '$[8]', cancelled bigint path '$[9]')) v
            on duplicate key update fires = history_minute.fires + values(fires),
                   succeeded = history_minute.succeeded + values(succeeded),
                   failed = history_minute.failed + values(failed),
                   timed_out = history_minute.timed_out + values(timed_out),
                   killed = history_minute.killed + values(killed),
                   lost = history_minute.lost + values(lost),
                   skipped = history_minute.skipped + values(skipped),
                   missed = history_minute.missed + values(missed),
                   cancelled = history_minute.cancelled + values(cancelled)
            """;

    private final Instant keptFrom;
    private final Map<Instant, MinuteCounts> minutes = new TreeMap<>();

    private static final class MinuteCounts {
        private long fires;
        private final Outcomes outcomes = new Outcomes();
    }

    /** @param keptFrom what lies before is left out */
    MinuteTally(Instant keptFrom) {
        this.keptFrom = keptFrom;
    }

    void add(CountedRow row) {
        at(row.endedAt()).outcomes.add(row);
        if (row.startedAt() != null) {
            at(row.startedAt()).fires++;
        }
    }

    private MinuteCounts at(Instant time) {
        return minutes.computeIfAbsent(time.truncatedTo(ChronoUnit.MINUTES), minute -> new MinuteCounts());
    }

    /** Returns the rows as JSON; null if there is nothing to add. */
    @Nullable
    String rows() {
        Collection<Map.Entry<Instant, MinuteCounts>> kept = minutes.entrySet().stream()
                .filter(minute -> !minute.getKey().isBefore(keptFrom))
                .toList();
        return kept.isEmpty() ? null : JsonRows.of(kept, minute -> columns(minute.getKey(), minute.getValue()));
    }

    private static List<@Nullable Object> columns(Instant at, MinuteCounts minute) {
        List<@Nullable Object> columns = new ArrayList<>();
        columns.add(SqlTime.text(at));
        columns.add(minute.fires);
        columns.addAll(minute.outcomes.byDay());
        columns.add(minute.outcomes.of(Outcome.CANCELLED));
        return columns;
    }
}
