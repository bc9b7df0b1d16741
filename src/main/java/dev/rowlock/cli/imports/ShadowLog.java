package dev.rowlock.cli.imports;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Starts of another scheduler by its log: lines of cron and of systemd as syslog or the journal have them, or
 * lines with a time and a name.
 */
public final class ShadowLog {

    /**
     * Start of a job.
     *
     * @param what the command, or what the job is called
     */
    public record LoggedStart(Instant at, String what) {}

    private static final Pattern SYSLOG =
            Pattern.compile("([A-Z][a-z]{2}) +([0-9]{1,2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) \\S+ (.*)");
    private static final Pattern ISO =
            Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,9})?)"
                    + "(Z|[+-][0-9]{2}:?[0-9]{2})?\\s+(.*)");
    private static final Pattern CRON =
            Pattern.compile("(?i:\\S*cron\\S*?)(?:\\[[0-9]+])?: \\([^)]*\\) CMD \\((.*)\\)");
    private static final Pattern UNIT = Pattern.compile("systemd\\[[0-9]+]: Starting (\\S+)\\.service(?: - .*)?");
    private static final Pattern DESCRIBED = Pattern.compile("systemd\\[[0-9]+]: Starting (.*?)\\.{3}");
    private static final Pattern PROGRAM = Pattern.compile("\\S+(?:\\[[0-9]+])?: .*");
    private static final DateTimeFormatter DAY = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("uuuu MMM d HH:mm:ss")
            .toFormatter(Locale.ENGLISH);

    private final ZoneId zone;
    private final Instant now;
    private final List<LoggedStart> entries = new ArrayList<>();
    private @Nullable String misread;

    /**
     * @param zone of times that name no offset
     * @param now the latest that such a log can be: syslog names no year
     */
    public ShadowLog(ZoneId zone, Instant now) {
        this.zone = zone;
        this.now = now;
    }

    /** Adds what a text says. */
    public void read(String text) {
        text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("-- "))
                .forEach(this::line);
    }

    public List<LoggedStart> entries() {
        return entries;
    }

    /** Returns the first line that has no time in front; null if all have. */
    public @Nullable String misread() {
        return misread;
    }

    private void line(String line) {
        Matcher syslog = SYSLOG.matcher(line);
        Matcher iso = ISO.matcher(line);
        try {
            if (syslog.matches()) {
                add(ofSyslog(syslog.group(1) + " " + syslog.group(2) + " " + syslog.group(3)), syslog.group(4));
            } else if (iso.matches()) {
                add(ofIso(iso.group(1), iso.group(2)), iso.group(3));
            } else {
                misread = misread == null ? line : misread;
            }
        } catch (DateTimeException e) {
            misread = misread == null ? line : misread;
        }
    }

    private void add(Instant at, String said) {
        String message = PROGRAM.matcher(said).matches() ? said : said.replaceFirst("^\\S+ (?=\\S+\\[[0-9]+]: )", "");
        Matcher cron = CRON.matcher(message);
        Matcher unit = UNIT.matcher(message);
        Matcher described = DESCRIBED.matcher(message);
        if (cron.matches()) {
            entries.add(new LoggedStart(at, key(cron.group(1))));
        } else if (unit.matches()) {
            entries.add(new LoggedStart(at, key(unit.group(1))));
        } else if (described.matches()) {
            entries.add(new LoggedStart(at, key(described.group(1))));
        } else if (!PROGRAM.matcher(message).matches()) {
            entries.add(new LoggedStart(at, key(message)));
        }
    }

    /**
     * Returns the key by which a command, or a name, is found again: logs do not keep blanks, and cron writes
     * {@code ^I} for a tab.
     */
    public static String key(String text) {
        return text.replace("^I", " ").strip().replaceAll("\\s+", " ");
    }

    private Instant ofSyslog(String text) {
        int year = Year.from(now.atZone(zone)).getValue();
        LocalDateTime local;
        try {
            local = LocalDateTime.parse(year + " " + text, DAY);
        } catch (DateTimeException e) {
            return LocalDateTime.parse(year - 1 + " " + text, DAY).atZone(zone).toInstant(); // February 29
        }
        Instant at = local.atZone(zone).toInstant();
        boolean isAhead = at.isAfter(now.plusSeconds(86_400));
        return isAhead ? local.minusYears(1).atZone(zone).toInstant() : at;
    }

    private Instant ofIso(String text, @Nullable String offset) {
        String local = text.replace(' ', 'T').replace(',', '.');
        if (offset == null) {
            return LocalDateTime.parse(local).atZone(zone).toInstant();
        }
        String plain = offset.equals("Z") || offset.contains(":")
                ? offset
                : offset.substring(0, 3) + ":" + offset.substring(3);
        return OffsetDateTime.of(LocalDateTime.parse(local), ZoneOffset.of(plain))
                .toInstant();
    }
}
