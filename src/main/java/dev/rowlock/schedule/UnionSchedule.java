package dev.rowlock.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Union of several schedules. An instant at which more than one of them fires is one fire time, and belongs to the
 * first of them.
 *
 * @param lines at least two
 * @param zone of all of them, or that of the job
 */
record UnionSchedule(List<Schedule> lines, ZoneId zone) implements Schedule {

    /** Number of fire times that are looked up one by one in any stretch of time, however short. */
    private static final long FEW = 64;

    UnionSchedule {
        lines = List.copyOf(lines);
    }

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        Instant first = null;
        for (Schedule line : lines) {
            Instant next = line.nextAfter(t).orElse(null);
            if (next != null && (first == null || next.isBefore(first))) {
                first = next;
            }
        }
        return Optional.ofNullable(first);
    }

    @Override
    public boolean matches(Instant t) {
        return lineAt(t).isPresent();
    }

    @Override
    public OptionalInt lineAt(Instant t) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).matches(t))
                .findFirst();
    }

    @Override
    public ZoneId zoneAt(Instant t) {
        OptionalInt line = lineAt(t);
        return line.isPresent() ? lines.get(line.getAsInt()).zone() : zone;
    }

    private record CountedLine(Schedule line, long count) {}

    /**
     * Counts the frequent lines by formula or by minutes, and of the others what those do not have: so neither a line
     * of every second nor one of every year is walked through the crowds or the gaps of the other.
     */
    @Override
    public long countBetween(Instant afterExclusive, Instant untilInclusive) {
        long from = Math.max(Math.min(afterExclusive.getEpochSecond(), FireTimes.LAST) + 1, FireTimes.FIRST);
        long until = Math.min(untilInclusive.getEpochSecond(), FireTimes.LAST);
        List<CountedLine> counted = lines.stream()
                .map(line -> new CountedLine(line, line.countBetween(afterExclusive, untilInclusive)))
                .filter(line -> line.count > 0)
                .sorted(Comparator.comparingLong(CountedLine::count))
                .toList();
        if (counted.isEmpty()) {
            return 0;
        }
        long walked = 0;
        int few = 0; // lines of a single instant, which alone may be between two seconds, are always among them
        while (few < counted.size() - 1 && walked + counted.get(few).count <= Math.max(FEW, (until - from) / 60)) {
            walked += counted.get(few++).count;
        }
        long most = counted.get(counted.size() - 1).count;
        UnionSchedule frequent = of(counted.subList(few, counted.size()));
        long count = frequent.lines.size() == 1 || most > until - from ? most : frequent.countByMinutes(from, until);
        return count + of(counted.subList(0, few)).countWithout(frequent, afterExclusive, untilInclusive);
    }

    private UnionSchedule of(List<CountedLine> some) {
        return new UnionSchedule(some.stream().map(CountedLine::line).toList(), zone);
    }

    /** Counts what the other one has not, one by one; each line is asked for its own fire times alone. */
    private long countWithout(UnionSchedule other, Instant afterExclusive, Instant untilInclusive) {
        List<Instant> next = new ArrayList<>();
        lines.forEach(line -> next.add(line.nextAfter(afterExclusive).orElse(Instant.MAX)));
        long count = 0;
        while (!next.isEmpty()) {
            Instant first = Collections.min(next);
            if (first.equals(Instant.MAX) || first.isAfter(untilInclusive)) {
                break;
            }
            count += other.matches(first) ? 0 : 1;
            for (int i = 0; i < next.size(); i++) {
                if (next.get(i).equals(first)) {
                    next.set(i, lines.get(i).nextAfter(first).orElse(Instant.MAX));
                }
            }
        }
        return count;
    }

    @Override
    public Optional<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive) {
        return lines.stream()
                .flatMap(line -> line.lastBetween(afterExclusive, untilInclusive).stream())
                .max(Comparator.naturalOrder());
    }

    @Override
    public List<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive, int most) {
        TreeSet<Instant> last = new TreeSet<>();
        lines.forEach(line -> last.addAll(line.lastBetween(afterExclusive, untilInclusive, most)));
        return last.stream().skip(Math.max(0, last.size() - most)).toList();
    }

    /** Counts fire times from one second through another, all of which are whole seconds. */
    private long countByMinutes(long from, long until) {
        long count = 0;
        long minute = Math.floorDiv(from, 60L) * 60;
        while (minute <= until) {
            long seconds = secondsOf(minute);
            if (minute < from) {
                seconds &= -1L << (from - minute);
            }
            if (until - minute < 59) {
                seconds &= (1L << (until - minute + 1)) - 1;
            }
            count += Long.bitCount(seconds);
            minute = seconds != 0 ? minute + 60 : minuteAfter(minute);
        }
        return count;
    }

    /** Returns the first minute after this one that has a fire time. */
    private long minuteAfter(long minute) {
        return nextAfter(Instant.ofEpochSecond(minute + 59))
                .map(next -> Math.floorDiv(next.getEpochSecond(), 60L) * 60)
                .orElse(FireTimes.NONE);
    }

    @Override
    public long secondsOf(long minute) {
        long seconds = 0;
        for (Schedule line : lines) {
            seconds |= line.secondsOf(minute);
        }
        return seconds;
    }

    /** Returns the normal forms of all lines, one below the other. */
    @Override
    public String normalized() {
        return lines.stream().map(Schedule::normalized).collect(Collectors.joining("\n"));
    }

    @Override
    public String description() {
        return numbered(line -> Stream.of(line.description())).collect(Collectors.joining("; "));
    }

    /** Returns what is said of each line, with its number in front. */
    private Stream<String> numbered(Function<Schedule, Stream<String>> said) {
        return IntStream.range(0, lines.size())
                .boxed()
                .flatMap(i -> said.apply(lines.get(i)).map(text -> "line " + (i + 1) + ": " + text));
    }

    @Override
    public boolean isZoned() {
        return lines.stream().anyMatch(Schedule::isZoned);
    }

    @Override
    public Schedule anchoredAt(Instant anchor, Instant since) {
        List<Schedule> anchored = new ArrayList<>();
        lines.forEach(line -> anchored.add(line.anchoredAt(anchor, since)));
        return new UnionSchedule(anchored, zone);
    }

    @Override
    public List<String> warnings(Instant from) {
        return Stream.concat(
                        numbered(line -> line.warnings(from).stream()),
                        IntStream.range(1, lines.size())
                                .filter(i -> isCovered(i, from))
                                .mapToObj(i -> "line " + (i + 1) + ": lines above it ask for all of its fire times, so"
                                        + " that they are theirs; move it up if it is to fire by itself"))
                .toList();
    }

    /** Returns whether the next fire times of a line, as far as they are looked at, are those of lines before it. */
    private boolean isCovered(int line, Instant from) {
        List<Instant> next = new ArrayList<>();
        Optional<Instant> t = lines.get(line).nextAfter(from);
        while (t.isPresent() && next.size() < FEW) {
            next.add(t.get());
            t = lines.get(line).nextAfter(t.get());
        }
        return !next.isEmpty() && next.stream().allMatch(at -> lineAt(at).orElse(line) < line);
    }

    @Override
    public Optional<String> clockChange(Instant t) {
        String said = numbered(line -> line.clockChange(t).stream()).collect(Collectors.joining("; "));
        return said.isEmpty() ? Optional.empty() : Optional.of(said);
    }

    /** Returns the zone that all lines have; the other one if they have several. */
    static ZoneId sharedZone(List<Schedule> lines, ZoneId otherwise) {
        ZoneId first = lines.get(0).zone();
        return lines.stream().allMatch(line -> Objects.equals(line.zone(), first)) ? first : otherwise;
    }
}
