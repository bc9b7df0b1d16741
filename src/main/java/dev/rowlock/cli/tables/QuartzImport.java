package dev.rowlock.cli.tables;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Jobs of Quartz: one for all triggers of a job that differ in their schedules alone, else one for each trigger. */
public final class QuartzImport {

    /** Text for people about what is different if several triggers have become one job. */
    public static final String TOGETHER =
            "Triggers of one job that differ in their schedules alone are one job of several"
                    + " schedules: at an instant that two of them\nask for it runs once; Quartz runs it for each.";

    /** Text for people about the differences that all of them have. */
    public static final String HEAD =
            "Quartz skips times that the clocks skip, and fires those that they repeat the second time; here"
                    + " they fire at\n"
                    + "the jump, and the first time. What a command leaves in the background is killed when it ends.";

    /** Columns that are carried over, remarked, or only tell what Quartz is about to do. */
    private static final Set<String> READ = Set.of("""
            sched_name trigger_name trigger_group job_name job_group description next_fire_time prev_fire_time
            priority trigger_state trigger_type start_time end_time calendar_name misfire_instr
            misfire_orig_fire_time job_data details_data job_class_name is_durable is_nonconcurrent
            is_update_data requests_recovery cron_expression time_zone_id repeat_count repeat_interval
            times_triggered execution_group""".split("\\s+"));

    private static final Pattern OFFSET = Pattern.compile("(?:GMT|UTC)([+-])0?([0-9]|1[0-4])(?::?00)?");

    /** Priority of a trigger that says none. */
    private static final int PRIORITY = 5;

    private final String zone;
    private final CommandTemplate template;
    private final Instant now;

    /**
     * @param zone of the scheduler's host, for triggers that name none
     * @param template for Java classes
     * @param now what is before it is over
     */
    public QuartzImport(String zone, CommandTemplate template, Instant now) {
        this.zone = zone;
        this.template = template;
        this.now = now;
    }

    /** Returns the tables that it reads, without their prefix. */
    public static List<String> tables() {
        return List.of("JOB_DETAILS", "TRIGGERS", "CRON_TRIGGERS", "SIMPLE_TRIGGERS");
    }

    /** @param rows of all these tables, or of a join of them */
    public void read(List<Map<String, String>> rows, ImportText to) {
        joined(rows).forEach((key, row) -> to.add(job(row, to)));
    }

    private static Map<String, Map<String, String>> joined(List<Map<String, String>> rows) {
        Map<String, Map<String, String>> triggers = new TreeMap<>();
        Map<String, Map<String, String>> details = new TreeMap<>();
        for (Map<String, String> row : rows) {
            String scheduler = row.getOrDefault("sched_name", "");
            if (row.containsKey("trigger_name")) {
                String key =
                        String.join("\n", scheduler, row.getOrDefault("trigger_group", ""), row.get("trigger_name"));
                triggers.computeIfAbsent(key, name -> new LinkedHashMap<>()).putAll(row);
            } else if (row.containsKey("job_name")) {
                details.put(key(scheduler, row), row);
            }
        }
        for (Map<String, String> trigger : triggers.values()) {
            Map<String, String> job = details.get(key(trigger.getOrDefault("sched_name", ""), trigger));
            if (job != null) {
                job.forEach((column, value) -> {
                    if (column.equals("job_data")) {
                        trigger.put("details_data", value);
                    }
                    trigger.putIfAbsent(column, value);
                });
            }
        }
        return triggers;
    }

    private static String key(String scheduler, Map<String, String> row) {
        return String.join("\n", scheduler, row.getOrDefault("job_group", ""), row.getOrDefault("job_name", ""));
    }

    private Draft job(Map<String, String> row, ImportText to) {
        String group = row.getOrDefault("trigger_group", "");
        String trigger = (group.isEmpty() ? "" : group + ".") + row.get("trigger_name");
        String schedule = row.getOrDefault("cron_expression", row.getOrDefault("trigger_type", "?"));
        Draft draft =
                new Draft("trigger " + trigger + " of " + row.getOrDefault("job_class_name", "?") + ": " + schedule);
        ObjectNode job = draft.job();
        String name = row.getOrDefault("trigger_name", "");
        to.names().named(draft, row.getOrDefault("job_name", name), "quartz", name);
        draft.isPart(key(row.getOrDefault("sched_name", ""), row) + "\n" + row.getOrDefault("job_data", ""));
        if (!row.getOrDefault("description", "").isBlank()) {
            job.put("description", row.get("description"));
        }
        schedule(row, draft);
        bounds(row, draft);
        policies(row, draft);
        new QuartzJob(row, draft).addTo(template);
        Columns.sayOthers(row, READ, draft);
        return draft;
    }

    private void schedule(Map<String, String> row, Draft draft) {
        String expression = row.get("cron_expression");
        if (expression != null) {
            String translated = QuartzCron.translated(expression);
            draft.schedule(translated, zone(row.getOrDefault("time_zone_id", zone)));
            if (!translated.equalsIgnoreCase(expression.strip())) {
                draft.remark("the same as Quartz's " + expression.strip() + ", which counts Sunday as 1");
            }
        } else if (row.containsKey("repeat_interval")) {
            every(row, draft);
        } else {
            draft.lose("there is no cron expression for it, and no interval: a trigger of the type "
                    + row.getOrDefault("trigger_type", "?") + " has no counterpart");
        }
    }

    /** Returns the zone by the names of Java, which knows offsets and short names, too. */
    private static String zone(String name) {
        Matcher offset = OFFSET.matcher(name);
        if (offset.matches()) {
            String sign = offset.group(1).equals("+") ? "-" : "+"; // the database counts westwards
            return offset.group(2).equals("0") ? "UTC" : "Etc/GMT" + sign + offset.group(2);
        }
        return Zones.isNamed(name) ? name : ZoneId.SHORT_IDS.getOrDefault(name, name);
    }

    /** Sets the interval, from the start on, so that the phase stays as it is. */
    private void every(Map<String, String> row, Draft draft) {
        Instant start = instant(row, "start_time");
        long count = number(row, "repeat_count", -1);
        Duration interval = Duration.ofMillis(number(row, "repeat_interval", 0));
        if (count == 0) {
            if (start == null || start.isBefore(now)) {
                draft.lose("it fires once, and that is over");
            } else {
                draft.schedule("@at " + start, null);
            }
            return;
        }
        draft.schedule("@every " + Durations.format(interval), null);
        if (start != null) {
            draft.job().put("startAt", start.toString());
        }
        if (count > 0) {
            long left = count + 1 - number(row, "times_triggered", 0);
            if (left <= 0) {
                draft.lose("it has fired as often as it was to");
            }
            draft.job().put("maxRuns", left);
        }
    }

    private void bounds(Map<String, String> row, Draft draft) {
        Instant start = instant(row, "start_time");
        Instant end = instant(row, "end_time");
        if (start != null && start.isAfter(now) && row.containsKey("cron_expression")) {
            draft.job().put("startAt", start.toString());
        }
        if (end != null) {
            draft.job().put("endAt", end.toString());
            if (!end.isAfter(now)) {
                draft.lose("it ended at " + end);
            }
        }
        String state = row.getOrDefault("trigger_state", "WAITING");
        if (state.equals("COMPLETE")) {
            draft.lose("it has fired for the last time");
        } else if (state.startsWith("PAUSED") || state.equals("ERROR")) {
            draft.job().put("paused", true);
            if (state.equals("ERROR")) {
                draft.remark("Quartz has set it aside after an error, so it is paused");
            }
        }
        if (row.containsKey("calendar_name")) {
            draft.lack("left out: the calendar " + row.get("calendar_name")
                    + ", which excludes times; make one of its days" + " (rowlock calendar set "
                    + row.get("calendar_name") + " -f FILE), and name it in the job's calendar");
        }
    }

    private static void policies(Map<String, String> row, Draft draft) {
        ObjectNode job = draft.job();
        boolean alone = isTrue(row, "is_nonconcurrent");
        job.put("overlap", alone ? "QUEUE" : "ALLOW");
        if (alone) {
            job.put("overlapLimit", 1); // a trigger of Quartz waits, and does not count what it misses meanwhile
        }
        String misfire = misfire(row);
        job.put("misfire", misfire);
        if (misfire.equals("RUN_ALL")) {
            job.remove("overlapLimit");
        }
        job.put("onLost", isTrue(row, "requests_recovery") ? "RERUN" : "FAIL");
        long priority = Math.max(-100, Math.min(100, number(row, "priority", PRIORITY) - PRIORITY));
        if (priority != 0) {
            job.put("priority", priority);
        }
    }

    /**
     * Returns the policy for Quartz's number, which means something else for each type of trigger. 0 is the choice of
     * the type: a cron trigger runs once, a simple one that never ends waits for its next time.
     */
    private static String misfire(Map<String, String> row) {
        long instruction = number(row, "misfire_instr", 0);
        boolean isCron = row.containsKey("cron_expression");
        boolean isEndless = number(row, "repeat_count", -1) < 0;
        boolean isNext =
                isCron ? instruction == 2 : instruction == 4 || instruction == 5 || (instruction == 0 && isEndless);
        return instruction == -1 ? "RUN_ALL" : isNext ? "SKIP" : "RUN_ONCE";
    }

    static boolean isTrue(Map<String, String> row, String column) {
        return row.getOrDefault(column, "0").matches("(?i)1|t|true|y|yes|\u0001");
    }

    private static long number(Map<String, String> row, String column, long otherwise) {
        String said = row.getOrDefault(column, "").strip();
        return said.matches("-?[0-9]{1,18}") ? Long.parseLong(said) : otherwise;
    }

    private static @Nullable Instant instant(Map<String, String> row, String column) {
        long millis = number(row, column, 0);
        return millis <= 0 ? null : Instant.ofEpochMilli(millis);
    }
}
