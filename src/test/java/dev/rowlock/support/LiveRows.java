package dev.rowlock.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SQL of tests about {@code live_task}: what is in {@code task}, and what the cursors in {@code job_next} stand at, as
 * idle tasks whose {@code cursor_of} is their job. It can be read, updated and deleted from. Besides, a row that a test
 * puts into {@code task} without an id gets one.
 */
public final class LiveRows {

    /** What both tables have. */
    private static final String BOTH = "job_id, job_version, stripe, fire_time, due_at, hold, hold_reason, needs,"
            + " priority, group_name, selector, jitter_ms";

    private static final Pattern BOTH_COLUMNS = Pattern.compile("(\\w+\\.)?(" + BOTH.replace(", ", "|") + ")\\s*=.*");
    /** What only tasks have, with what it is for a cursor. */
    private static final Map<String, String> ONLY_TASKS = Map.ofEntries(
            Map.entry("next_fire_time", "null"),
            Map.entry("origin", "''"),
            Map.entry("attempt", "1"),
            Map.entry("cause", "'SCHEDULE'"),
            Map.entry("state", "'IDLE'"),
            Map.entry("launch_id", "null"),
            Map.entry("session_id", "null"),
            Map.entry("prepared_at", "null"),
            Map.entry("started_at", "null"),
            Map.entry("losses", "0"),
            Map.entry("stops", "0"),
            Map.entry("queued_at", "null"),
            Map.entry("replaced_by", "null"),
            Map.entry("failures", "0"),
            Map.entry("overrides", "null"),
            Map.entry("waited_for", "null"),
            Map.entry("taken_from", "null"),
            Map.entry("taken_node", "null"),
            Map.entry("not_before", "null"));

    private static final String ALL = "(select id, " + BOTH + ", "
            + ONLY_TASKS.keySet().stream().sorted().collect(Collectors.joining(", "))
            + ", null as cursor_of from task union all select task_id, " + BOTH + ", "
            + ONLY_TASKS.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(Map.Entry::getValue)
                    .collect(Collectors.joining(", "))
            + ", job_id from job_next)";
    private static final Pattern LIVE = Pattern.compile("\\blive_task\\b");
    private static final Pattern UNNAMED =
            Pattern.compile("\\blive_task\\b(?=\\s*(where\\b|order\\b|group\\b|limit\\b|union\\b|join\\b|,|\\)|$))");
    private static final Pattern UPDATE =
            Pattern.compile("update live_task(?: (\\w+))? set (.*?)(?: where (.*?))?( order by .*)?", Pattern.DOTALL);
    private static final Pattern WITHOUT_ID =
            Pattern.compile("(insert into task \\()(?![^)]*\\bid\\b)([^)]*\\)\\s*)", Pattern.DOTALL);

    /** Beyond what nodes reach, and with room between two statements for what nodes take from there on. */
    private static final AtomicLong IDS = new AtomicLong(1_000_000);

    private LiveRows() {}

    /** An id that no task has. */
    public static long newId() {
        return IDS.addAndGet(1_000_000);
    }

    /** The same query, of tables that are there. */
    public static String query(String sql) {
        return LIVE.matcher(UNNAMED.matcher(sql).replaceAll("live_task live_task_"))
                .replaceAll(Matcher.quoteReplacement(ALL));
    }

    /** The statements that do the same to tables that are there. */
    public static List<String> statements(String sql) {
        Matcher update = UPDATE.matcher(sql);
        if (update.matches()) {
            return updates(update);
        }
        if (sql.startsWith("delete from live_task")) {
            String where = sql.substring("delete from live_task".length());
            return List.of("delete from task" + ofTask(where), "delete from job_next" + ofCursor(where));
        }
        Matcher insert = WITHOUT_ID.matcher(sql);
        return List.of(query(insert.lookingAt() ? withId(insert, sql.substring(insert.end())) : sql));
    }

    private static String withId(Matcher insert, String rest) {
        int row = rest.startsWith("values") ? rest.indexOf('(') + 1 : outermost(rest, "select ") + "select ".length();
        String id = newId() + (rest.startsWith("values") ? ", " : " + row_number() over (), ");
        return insert.group(1) + "id, " + insert.group(2) + rest.substring(0, row) + id + rest.substring(row);
    }

    /** Where a word stands that is not within parentheses. */
    private static int outermost(String text, String word) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            if (depth == 0 && text.startsWith(word, i)) {
                return i;
            }
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
        }
        throw new IllegalArgumentException("no " + word + "in " + text);
    }

    private static List<String> updates(Matcher update) {
        String alias = update.group(1) == null ? "" : " " + update.group(1);
        String where = update.group(3) == null ? "" : " where " + update.group(3);
        String order = update.group(4) == null ? "" : update.group(4);
        String ofCursors = assignments(update.group(2)).stream()
                .filter(each -> BOTH_COLUMNS.matcher(each.strip()).matches())
                .collect(Collectors.joining(","));
        String tasks = "update task" + alias + " set " + update.group(2) + ofTask(where) + order;
        return ofCursors.isEmpty()
                ? List.of(tasks)
                : List.of(tasks, "update job_next" + alias + " set " + ofCursor(ofCursors + where + order));
    }

    private static String ofTask(String where) {
        return query(
                where.replaceAll("\\bcursor_of is not null\\b", "false").replaceAll("\\bcursor_of is null\\b", "true"));
    }

    private static String ofCursor(String text) {
        String result = text.replaceAll("(?<!\\w\\.)\\bid\\b", "task_id").replaceAll("\\bcursor_of\\b", "job_id");
        for (Map.Entry<String, String> column : ONLY_TASKS.entrySet()) {
            result = result.replaceAll("\\b" + column.getKey() + "\\b", Matcher.quoteReplacement(column.getValue()));
        }
        return query(result);
    }

    /** Parted at the commas that are not within parentheses or quotes. */
    private static List<String> assignments(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')') {
                depth--;
            } else if (!quoted && c == ',' && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
