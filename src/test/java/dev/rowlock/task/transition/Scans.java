package dev.rowlock.task.transition;

import dev.rowlock.db.Database;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** The usual ways to find tasks: from a time on, nothing left out, by a clock that nobody doubts. */
public final class Scans {

    private static final Instant FOREVER = Instant.parse("9999-12-31T23:59:59Z");

    private Scans() {}

    /** What a node asks for that prefers these stripes. */
    public static ScanBounds from(Instant floor, Collection<Integer> stripes, int batch) {
        return new ScanBounds(
                floor,
                DuePosition.at(floor),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                stripes,
                batch,
                ScanFilter.NOTHING);
    }

    public static Start start(Database database) {
        return new Start(database, Duration.ofSeconds(60), () -> FOREVER);
    }

    /** What others have left lying for a second. */
    public static List<Claim> overdue(
            Start start, String session, Instant floor, int batch, Supplier<LaunchId> launches) {
        return start.overdue(session, Duration.ofSeconds(1), DuePosition.at(floor), batch, ScanFilter.NOTHING, launches)
                .claims();
    }
}
