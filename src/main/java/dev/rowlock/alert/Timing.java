package dev.rowlock.alert;

import dev.rowlock.job.AlertRule;
import dev.rowlock.job.QuietHours;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a message goes out: after the time in which others may join it, and not in quiet hours. */
public final class Timing {

    private Timing() {}

    /** A message that goes out from {@code earliest} to {@code latest} may take it along; else its own goes last. */
    public record Window(Instant earliest, Instant latest) {}

    /** When what is raised now is told. */
    public static Window of(AlertRule rule, Instant now) {
        Instant due = now.plus(rule.groupWait());
        QuietHours quiet = rule.quietHours();
        Instant end = quiet == null ? null : endOf(quiet, due);
        if (end != null) {
            return new Window(end, end);
        }
        boolean quietNow = quiet != null && endOf(quiet, now) != null;
        return new Window(quietNow ? due : now, due);
    }

    /**
     * When the quiet hours end in which this moment lies; null: it lies in none. A time of day that the clocks skip
     * means the moment of the jump; of one that they repeat, quiet hours begin with the first and end with the second.
     */
    public static @Nullable Instant endOf(QuietHours quiet, Instant t) {
        LocalDate today = LocalDate.ofInstant(t, quiet.zone());
        for (LocalDate day : List.of(today.minusDays(1), today)) {
            LocalDate last = quiet.to().isAfter(quiet.from()) ? day : day.plusDays(1);
            Instant from = instant(LocalDateTime.of(day, quiet.from()), quiet.zone(), true);
            Instant to = instant(LocalDateTime.of(last, quiet.to()), quiet.zone(), false);
            if (!t.isBefore(from) && t.isBefore(to)) {
                return to;
            }
        }
        return null;
    }

    private static Instant instant(LocalDateTime local, ZoneId zone, boolean first) {
        ZoneOffsetTransition jump = zone.getRules().getTransition(local);
        if (jump != null && jump.isGap()) {
            return jump.getInstant();
        }
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        return local.toInstant(offsets.get(first ? 0 : offsets.size() - 1));
    }
}
