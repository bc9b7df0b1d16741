package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.Calendar;
import java.util.List;

/**
 * Openness of the times of one line by its calendars, whose dates may be those of other zones. Both kinds of time are
 * asked by stretches, within which the answer is the same.
 */
final class OpenDates {

    static final int DAY = (int) FireTimes.SECONDS_PER_DAY;

    private final ZoneTimeline line;
    private final List<Calendar> calendars;
    /** Zones of the calendars, in their order. */
    private final List<ZoneTimeline> zones;

    private final boolean isByDay;

    OpenDates(ZoneTimeline line, List<Calendar> calendars) {
        this.line = line;
        this.calendars = calendars;
        this.zones = calendars.stream()
                .map(calendar -> calendar.zone() == null ? line : ZoneTimeline.of(calendar.zone()))
                .toList();
        this.isByDay = zones.stream().allMatch(zone -> zone == line);
    }

    /** Returns whether all times of a local day are open, or none. */
    boolean isByDay() {
        return isByDay;
    }

    /** Returns whether the clocks of a zone that names dates change. */
    boolean isZoned() {
        return !zones.stream().allMatch(ZoneTimeline::isFixed);
    }

    /**
     * Returns whether a local time is open, and up to which second of its day that is the same at least; one that the
     * clocks repeat is judged by the first time, one that they skip by the jump. Made by {@link #stretch}.
     */
    long at(long day, int second) {
        boolean open = true;
        int until = DAY;
        for (int i = 0; i < zones.size() && open; i++) {
            if (zones.get(i) == line) {
                open = calendars.get(i).isOpen(day);
            } else {
                long there = inZone(day, second, i);
                open = isOpen(there);
                until = Math.min(until, until(there));
            }
        }
        return stretch(open, open ? until : closedUntil(day, second));
    }

    /** Returns the end of a stretch that some calendar has closed: the latest that one of them gives. */
    private int closedUntil(long day, int second) {
        int until = second + 1;
        for (int i = 0; i < zones.size(); i++) {
            if (zones.get(i) != line) {
                long there = inZone(day, second, i);
                until = isOpen(there) ? until : Math.max(until, until(there));
            } else if (!calendars.get(i).isOpen(day)) {
                return DAY;
            }
        }
        return until;
    }

    private long inZone(long day, int second, int index) {
        ZoneTimeline zone = zones.get(index);
        long local = day * DAY + second;
        long instant = line.instantOf(local);
        int offset = zone.offsetAt(instant);
        long date = Math.floorDiv(instant + offset, FireTimes.SECONDS_PER_DAY);
        long change = Math.min(line.transitionAfter(instant), zone.transitionAfter(instant));
        long end = Math.min((date + 1) * DAY - offset, change);
        // Within what the clocks skip, every local time stands for the same instant.
        long skipped = instant + line.offsetAt(instant) - local;
        long length = skipped > 0 ? skipped : end - instant;
        return stretch(calendars.get(index).isOpen(date), (int) Math.min(DAY, second + length));
    }

    /** Returns whether an instant is open. */
    boolean isOpenAt(long instant) {
        for (int i = 0; i < zones.size(); i++) {
            if (!calendars.get(i).isOpen(date(instant, i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the instant itself if it is open, else one before which all are closed; {@link FireTimes#NONE} if a
     * calendar opens no more.
     */
    long opensFrom(long instant) {
        long from = instant;
        for (int i = 0; i < zones.size(); i++) {
            long date = date(instant, i);
            long opens = calendars.get(i).openFrom(date);
            if (opens == Calendar.NEVER) {
                return FireTimes.NONE;
            }
            from = opens == date ? from : Math.max(from, startOf(opens, i, instant));
        }
        return from;
    }

    /** Returns an instant after an open one before which all are open. */
    long closesAfter(long instant) {
        long until = FireTimes.NONE;
        for (int i = 0; i < zones.size(); i++) {
            long date = date(instant, i);
            long closes = calendars.get(i).closedFrom(date);
            // Beyond what was searched, the search goes on from there.
            long end = closes == Calendar.NEVER ? date + 366L * Calendar.MAX_YEARS : closes;
            until = Math.min(until, startOf(end, i, instant));
        }
        return until;
    }

    private long date(long instant, int index) {
        return Math.floorDiv(instant + zones.get(index).offsetAt(instant), FireTimes.SECONDS_PER_DAY);
    }

    /** Returns when a later date begins in the zone of a calendar, and not before the next second. */
    private long startOf(long date, int index, long instant) {
        return Math.max(instant + 1, zones.get(index).instantOf(date * DAY));
    }

    static long stretch(boolean is, int until) {
        return (long) until << 1 | (is ? 1 : 0);
    }

    static boolean isOpen(long stretch) {
        return (stretch & 1) != 0;
    }

    static int until(long stretch) {
        return (int) (stretch >> 1);
    }
}
