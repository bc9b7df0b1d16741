package dev.rowlock.cli.tables;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.imports.JobNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Rows of {@code xxl_job_info} as jobs. */
public final class XxlJobImport {

    /** For people: what is different for all of them. */
    public static final String HEAD =
            "XXL-JOB asked one executor to run these, and blocked by executor; here any node that nodes allows"
                    + " runs them,\n"
                    + "and overlap counts in the whole cluster.";

    private static final Pattern ARGUMENTS = Pattern.compile("\\$(?:[1-9@*#]|\\{[1-9@*#])");
    private static final Map<String, String> PROGRAMS =
            Map.of("GLUE_PYTHON", "python3 -", "GLUE_NODEJS", "node -", "GLUE_PHP", "php /dev/stdin");
    private static final int LONGEST = 65_536;

    private final String zone;
    private final CommandTemplate template;
    private final boolean isShadow;
    private final JobNames names = new JobNames();

    /**
     * @param zone of the admin's host
     * @param template for handlers
     * @param isShadow whether the jobs are to run nothing
     */
    public XxlJobImport(String zone, CommandTemplate template, boolean isShadow) {
        this.zone = zone;
        this.template = template;
        this.isShadow = isShadow;
    }

    public List<Imported> read(List<Map<String, String>> rows) {
        List<Imported> all = new ArrayList<>();
        rows.stream().filter(row -> row.containsKey("glue_type")).forEach(row -> all.add(job(row)));
        return all;
    }

    private Imported job(Map<String, String> row) {
        String about = row.getOrDefault("job_desc", "");
        String id = row.getOrDefault("id", "?");
        Draft draft = new Draft("job " + id + " (" + about + "): " + row.getOrDefault("schedule_type", "CRON") + " "
                + row.getOrDefault("schedule_conf", row.getOrDefault("job_cron", "")));
        ObjectNode job = draft.job();
        String handler = row.getOrDefault("executor_handler", "");
        job.put("name", names.named(handler.isBlank() ? about : handler, "xxl-job-" + id));
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
        return draft.done(isShadow);
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
            job.putObject("retry").put("max", Math.min(100, retries)).put("backoff", "1s");
        }
        if (row.getOrDefault("executor_route_strategy", "").equals("SHARDING_BROADCAST")) {
            job.put("broadcast", true);
            draft.remark("a broadcast, too, but no run is told its shard: it has ROWLOCK_NODE instead");
        }
    }

    private void command(Map<String, String> row, Draft draft) {
        String type = row.getOrDefault("glue_type", "");
        String source = row.getOrDefault("glue_source", "").replace("\r\n", "\n");
        String param = row.getOrDefault("executor_param", "");
        String arguments = CommandTemplate.quoted(param) + " 0 1";
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
