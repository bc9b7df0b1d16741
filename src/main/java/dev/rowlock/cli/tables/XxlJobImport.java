package dev.rowlock.cli.tables;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.ShellText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Rows of {@code xxl_job_info} as jobs. */
public final class XxlJobImport {

    /** Text for people about the differences that all of them have. */
    public static final String HEAD =
            "XXL-JOB asked one executor to run these, and blocked by executor; here any node that nodes allows"
                    + " runs them,\n"
                    + "and overlap counts in the whole cluster. What a command leaves in the background is killed"
                    + " when it ends.";

    /** Columns that are carried over, remarked, or only tell what XXL-JOB is about to do. */
    private static final Set<String> READ = Set.of("""
            id job_desc add_time update_time author alarm_email schedule_type schedule_conf job_cron
            misfire_strategy executor_route_strategy executor_handler executor_param executor_block_strategy
            executor_timeout executor_fail_retry_count glue_type glue_source glue_remark glue_updatetime
            child_jobid child_jobkey trigger_status trigger_last_time trigger_next_time job_group""".split("\\s+"));

    private static final Pattern ARGUMENTS = Pattern.compile("\\$(?:[1-9@*#]|\\{[1-9@*#])");
    private static final Map<String, String> PROGRAMS =
            Map.of("GLUE_PYTHON", "python3 -", "GLUE_NODEJS", "node -", "GLUE_PHP", "php /dev/stdin");
    private static final int LONGEST = 65_536;

    private final String zone;
    private final CommandTemplate template;

    /**
     * @param zone of the admin's host
     * @param template for handlers
     */
    public XxlJobImport(String zone, CommandTemplate template) {
        this.zone = zone;
        this.template = template;
    }

    /** Adds those of the rows that are jobs. */
    public void read(List<Map<String, String>> rows, ImportText to) {
        rows.stream().filter(row -> row.containsKey("glue_type")).forEach(row -> to.add(job(row, to)));
    }

    private Draft job(Map<String, String> row, ImportText to) {
        String about = row.getOrDefault("job_desc", "");
        String id = row.getOrDefault("id", "?");
        Draft draft = new Draft("job " + id + " (" + about + "): " + row.getOrDefault("schedule_type", "CRON") + " "
                + row.getOrDefault("schedule_conf", row.getOrDefault("job_cron", "")));
        ObjectNode job = draft.job();
        String handler = row.getOrDefault("executor_handler", "");
        to.names()
                .named(
                        draft,
                        handler.isBlank() ? about : handler,
                        "xxl-job-" + id,
                        row.getOrDefault("executor_param", ""));
        if (!about.isBlank()) {
            job.put("description", about);
        }
        schedule(row, draft);
        policies(row, draft);
        command(row, draft);
        if (row.getOrDefault("trigger_status", "1").equals("0")) {
            job.put("paused", true);
        }
        if (!row.getOrDefault("child_jobid", "").isBlank()) {
            draft.remark("left out: it starts " + row.get("child_jobid")
                    + " when it succeeded; the command may do so itself, as in && rowlock job run");
        }
        if (!row.getOrDefault("alarm_email", "").isBlank()) {
            draft.remark("left out: mail to " + row.get("alarm_email") + "; rowlock rule put tells people of failures");
        }
        if (!row.getOrDefault("author", "").isBlank()) {
            draft.remark("author: " + row.get("author"));
        }
        Columns.sayOthers(row, READ, draft);
        return draft;
    }

    private void schedule(Map<String, String> row, Draft draft) {
        String conf = row.getOrDefault("schedule_conf", row.getOrDefault("job_cron", ""))
                .strip();
        switch (row.getOrDefault("schedule_type", "CRON")) {
            case "NONE" -> draft.schedule("@manual", null);
            case "FIX_RATE" -> draft.schedule("@every " + conf + "s", null);
            case "FIX_DELAY" -> {
                draft.schedule("@every " + conf + "s", null);
                draft.remark("counts from fire time to fire time, not from the end of a run");
            }
            default -> {
                String translated = QuartzCron.translated(conf);
                draft.schedule(translated, zone);
                if (!translated.equalsIgnoreCase(conf)) {
                    draft.remark("the same as " + conf + ", which counts Sunday as 1");
                }
            }
        }
    }

    private static void policies(Map<String, String> row, Draft draft) {
        ObjectNode job = draft.job();
        job.put("misfire", row.getOrDefault("misfire_strategy", "").equals("FIRE_ONCE_NOW") ? "RUN_ONCE" : "SKIP");
        switch (row.getOrDefault("executor_block_strategy", "")) {
            case "DISCARD_LATER" -> job.put("overlap", "SKIP");
            case "COVER_EARLY" -> job.put("overlap", "REPLACE");
            default -> job.put("overlap", "QUEUE");
        }
        int timeout = number(row, "executor_timeout");
        if (timeout > 0) {
            job.put("timeout", timeout + "s");
        }
        int retries = number(row, "executor_fail_retry_count");
        if (retries > 0) {
            job.putObject("retry").put("max", retries).put("backoff", "1s");
        }
        job.put("onLost", retries > 0 ? "RERUN" : "FAIL"); // a run that is lost has failed there
        if (row.getOrDefault("executor_route_strategy", "").equals("SHARDING_BROADCAST")) {
            job.put("broadcast", true);
            draft.lack("a broadcast, too, but no run is told its shard, so that each would do all of the work: let the"
                    + " command choose its part by ROWLOCK_NODE");
        }
    }

    private void command(Map<String, String> row, Draft draft) {
        String type = row.getOrDefault("glue_type", "");
        String source = row.getOrDefault("glue_source", "").replace("\r\n", "\n");
        String param = row.getOrDefault("executor_param", "");
        String arguments = ShellText.quoted(param) + " 0 1";
        ObjectNode job = draft.job();
        if (source.length() + arguments.length() > LONGEST - 10) {
            draft.lose("its script is longer than a job's command can be: put it into a file on the nodes");
        } else if (type.equals("GLUE_SHELL")) {
            boolean asks = ARGUMENTS.matcher(source).find();
            job.put("command", asks ? "set -- " + arguments + "\n" + source : source);
            if (asks) {
                draft.remark("its arguments are those of XXL-JOB: the parameter, shard 0, of 1");
            }
        } else if (PROGRAMS.containsKey(type)) {
            job.put("command", PROGRAMS.get(type) + " " + arguments).put("stdin", source);
            draft.remark("its arguments are those of XXL-JOB: the parameter, shard 0, of 1");
        } else if (type.equals("BEAN")) {
            bean(row, param, draft);
        } else {
            draft.lackCommand("it is a script of the type " + type + ", which only an executor of XXL-JOB can run");
        }
    }

    private void bean(Map<String, String> row, String param, Draft draft) {
        String handler = row.getOrDefault("executor_handler", "");
        String command = template.with(Map.of("handler", handler, "param", param));
        if (command == null) {
            draft.lackCommand("it calls the handler " + handler + " of an executor, and a job runs a command: say with"
                    + " --command how that is called, as in --command 'curl -fsS"
                    + " http://app/jobs/{handler} -d {param}'");
        } else {
            draft.job().put("command", command);
        }
    }

    private static int number(Map<String, String> row, String column) {
        String said = row.getOrDefault(column, "").strip();
        return said.matches("[0-9]{1,8}") ? Integer.parseInt(said) : 0;
    }
}
