package dev.rowlock.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A random cron expression beside what it means, said a second time and in the plainest way: as a question to one local
 * time. Shares no code with the parser and the bit masks.
 */
record RandomCron(String text, Predicate<LocalDateTime> matches, boolean followsWallClock, boolean hasSeconds) {

    private record Part<T>(String text, Predicate<T> matches) {
        boolean isStar() {
            return text.startsWith("*");
        }

        boolean restricts() {
            return !text.equals("*") && !text.equals("?") && !text.equals("*/1");
        }
    }

    private static final String[] DAYS = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
    private static final String[] MONTHS = {
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"
    };

    static RandomCron of(Random random) {
        int fields = random.nextInt(4) == 0 ? 6 + random.nextInt(2) : 5;
        Part<Integer> second = fields == 5 ? new Part<>("", s -> s == 0) : numbers(random, 0, 59, 59);
        Part<Integer> minute = numbers(random, 0, 59, 59);
        Part<Integer> hour = numbers(random, 0, 23, 4);
        Part<LocalDate> monthDay = monthDays(random);
        Part<Integer> month = random.nextInt(3) == 0 ? months(random) : new Part<>("*", m -> true);
        Part<LocalDate> weekDay = weekDays(random);
        Part<Integer> year =
                fields == 7 && random.nextBoolean() ? numbers(random, 1970, 2099, 2040) : new Part<>("*", y -> true);
        Predicate<LocalDate> day = monthDay.restricts() && weekDay.restricts()
                ? monthDay.matches().or(weekDay.matches())
                : monthDay.matches().and(weekDay.matches());
        Predicate<LocalDateTime> matches = t -> second.matches().test(t.getSecond())
                && minute.matches().test(t.getMinute())
                && hour.matches().test(t.getHour())
                && month.matches().test(t.getMonthValue())
                && year.matches().test(t.getYear())
                && day.test(t.toLocalDate());
        String five = String.join(" ", minute.text(), hour.text(), monthDay.text(), month.text(), weekDay.text());
        String text = switch (fields) {
            case 5 -> five;
            case 6 -> second.text() + " " + five;
            default -> second.text() + " " + five + " " + year.text();
        };
        return new RandomCron(text, matches, minute.isStar() || hour.isStar(), fields > 5);
    }

    private static Part<Integer> months(Random random) {
        if (random.nextBoolean()) {
            return numbers(random, 1, 12, 12);
        }
        int from = random.nextInt(12);
        int to = random.nextInt(12);
        IntPredicate within = m -> from <= to ? m - 1 >= from && m - 1 <= to : m - 1 >= from || m - 1 <= to;
        return new Part<>(MONTHS[from] + "-" + MONTHS[to], within::test);
    }

    /** A list of numbers; single values are drawn up to {@code likely}. */
    private static Part<Integer> numbers(Random random, int min, int max, int likely) {
        int items = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
        Part<Integer> list = number(random, min, max, likely);
        for (int i = 1; i < items; i++) {
            Part<Integer> next = number(random, min, max, likely);
            list = new Part<>(list.text() + "," + next.text(), list.matches().or(next.matches()));
        }
        return list;
    }

    private static Part<Integer> number(Random random, int min, int max, int likely) {
        int a = min + random.nextInt(likely - min + 1);
        int b = a + random.nextInt(max - a + 1);
        int step = 1 + random.nextInt(max - min);
        return switch (random.nextInt(8)) {
            case 0 -> new Part<>("*", v -> true);
            case 1 -> new Part<>("*/" + step, v -> (v - min) % step == 0);
            case 2 -> new Part<>(a + "-" + b, v -> v >= a && v <= b);
            case 3 -> new Part<>(a + "-" + b + "/" + step, v -> v >= a && v <= b && (v - a) % step == 0);
            case 4 -> new Part<>(a + "/" + step, v -> v >= a && (v - a) % step == 0);
            default -> new Part<>(Integer.toString(a), v -> v == a);
        };
    }

    private static Part<LocalDate> monthDays(Random random) {
        int kind = random.nextInt(10);
        if (kind < 4) {
            return new Part<>(kind == 0 ? "?" : kind == 1 ? "*/1" : "*", d -> true);
        }
        List<Part<LocalDate>> items = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            items.add(monthDay(random));
        }
        return list(items);
    }

    private static Part<LocalDate> monthDay(Random random) {
        int n = 1 + random.nextInt(31);
        return switch (random.nextInt(7)) {
            case 0 -> new Part<>("L", d -> d.getDayOfMonth() == d.lengthOfMonth());
            case 1 -> new Part<>("L-" + Math.min(n, 30), d -> d.getDayOfMonth() == d.lengthOfMonth() - Math.min(n, 30));
            case 2 -> new Part<>("LW", d -> isWorkday(d) && workdaysAfter(d) == 0);
            case 3 -> new Part<>(n + "W", d -> n <= d.lengthOfMonth() && d.equals(nearest(d.withDayOfMonth(n))));
            case 4 -> {
                int to = n + random.nextInt(32 - n);
                int step = 1 + random.nextInt(30);
                yield new Part<>(
                        n + "-" + to + "/" + step,
                        d -> d.getDayOfMonth() >= n && d.getDayOfMonth() <= to && (d.getDayOfMonth() - n) % step == 0);
            }
            default -> new Part<>(Integer.toString(n), d -> d.getDayOfMonth() == n);
        };
    }

    private static boolean isWorkday(LocalDate day) {
        return day.getDayOfWeek().getValue() <= 5;
    }

    private static long workdaysAfter(LocalDate day) {
        return day.plusDays(1)
                .datesUntil(day.withDayOfMonth(1).plusMonths(1))
                .filter(RandomCron::isWorkday)
                .count();
    }

    /** Nearest by distance; of two as near, there is none: a week-end has two days. */
    private static LocalDate nearest(LocalDate day) {
        for (int distance : new int[] {0, -1, 1, -2, 2}) {
            LocalDate other = day.plusDays(distance);
            if (isWorkday(other) && other.getMonth() == day.getMonth()) {
                return other;
            }
        }
        throw new AssertionError(day);
    }

    private static Part<LocalDate> weekDays(Random random) {
        if (random.nextInt(10) < 6) {
            return new Part<>(random.nextInt(4) == 0 ? "?" : "*", d -> true);
        }
        List<Part<LocalDate>> items = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            items.add(weekDay(random));
        }
        return list(items);
    }

    private static Part<LocalDate> weekDay(Random random) {
        int day = random.nextInt(8);
        String name = random.nextBoolean() ? DAYS[day % 7] : Integer.toString(day);
        DayOfWeek weekday = DayOfWeek.of(day % 7 == 0 ? 7 : day);
        int k = 1 + random.nextInt(5);
        return switch (random.nextInt(5)) {
            case 0 ->
                new Part<>(
                        name + "L",
                        d -> d.getDayOfWeek() == weekday && d.plusDays(7).getMonth() != d.getMonth());
            case 1 -> new Part<>(name + "#" + k, d -> d.getDayOfWeek() == weekday && (d.getDayOfMonth() + 6) / 7 == k);
            case 2 -> {
                int to = random.nextInt(7);
                yield new Part<>(DAYS[day % 7] + "-" + DAYS[to], d -> {
                    int distance = (d.getDayOfWeek().getValue() - day + 14) % 7;
                    return distance <= (to - day + 14) % 7;
                });
            }
            case 3 -> new Part<>("*/2", d -> d.getDayOfWeek().getValue() % 7 % 2 == 0);
            default -> new Part<>(name, d -> d.getDayOfWeek() == weekday);
        };
    }

    private static Part<LocalDate> list(List<Part<LocalDate>> items) {
        Part<LocalDate> list = items.get(0);
        for (Part<LocalDate> item : items.subList(1, items.size())) {
            list = new Part<>(list.text() + "," + item.text(), list.matches().or(item.matches()));
        }
        return list;
    }
}
