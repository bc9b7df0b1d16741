package dev.rowlock.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.TreeSet;

/** All fire times of a stretch of time, found by asking every single minute or second. */
record Oracle(RandomCron cron, ZoneId zone, DaylightSaving rule) {

    /** The fire times after {@code from} until {@code until}, both whole minutes. */
    TreeSet<Instant> fireTimes(Instant from, Instant until) {
        Duration step = cron.hasSeconds() ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
        return rule == DaylightSaving.PLAIN || cron.followsWallClock()
                ? byInstants(from, until, step)
                : byLocalTimes(from, until, step);
    }

    private TreeSet<Instant> byInstants(Instant from, Instant until, Duration step) {
        ZoneRules rules = zone.getRules();
        TreeSet<Instant> found = new TreeSet<>();
        for (Instant t = from.plus(step); !t.isAfter(until); t = t.plus(step)) {
            if (cron.matches().test(LocalDateTime.ofEpochSecond(t.getEpochSecond(), 0, rules.getOffset(t)))) {
                found.add(t);
            }
        }
        return found;
    }

    private TreeSet<Instant> byLocalTimes(Instant from, Instant until, Duration step) {
        ZoneRules rules = zone.getRules();
        TreeSet<Instant> found = new TreeSet<>();
        LocalDateTime last = LocalDateTime.ofInstant(until, ZoneOffset.ofHours(18));
        for (LocalDateTime t = LocalDateTime.ofInstant(from, ZoneOffset.ofHours(-18));
                t.isBefore(last);
                t = t.plus(step)) {
            if (cron.matches().test(t)) {
                List<ZoneOffset> offsets = rules.getValidOffsets(t);
                Instant fireTime =
                        offsets.isEmpty() ? rules.getTransition(t).getInstant() : t.toInstant(offsets.get(0));
                if (fireTime.isAfter(from) && !fireTime.isAfter(until)) {
                    found.add(fireTime);
                }
            }
        }
        return found;
    }
}
