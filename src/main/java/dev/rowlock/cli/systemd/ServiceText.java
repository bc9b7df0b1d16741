package dev.rowlock.cli.systemd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a service says of its command, as fields of a job. */
final class ServiceText {

    private static final Pattern ASSIGNMENT =
            Pattern.compile("\\s*(?:\"([A-Za-z_]\\w*)=((?:[^\"\\\\]|\\\\.)*)\"|'([A-Za-z_]\\w*)=([^']*)'"
                    + "|([A-Za-z_]\\w*)=(?:\"([^\"]*)\"|'([^']*)'|(\\S*)))");

    /** What is carried over, or says nothing that matters here. */
    private static final Set<String> KNOWN = Set.of(
            "Type",
            "ExecStart",
            "ExecStartPre",
            "ExecStartPost",
            "User",
            "Environment",
            "EnvironmentFile",
            "WorkingDirectory",
            "UMask",
            "Nice",
            "TimeoutStartSec",
            "TimeoutSec",
            "RuntimeMaxSec",
            "TimeoutStopSec",
            "SuccessExitStatus",
            "LimitNOFILE",
            "MemoryMax",
            "StandardOutput",
            "StandardError",
            "SyslogIdentifier",
            "RemainAfterExit");

    private final Unit unit;
    private final Draft draft;

    ServiceText(Unit unit, Draft draft) {
        this.unit = unit;
        this.draft = draft;
    }

    void addTo(boolean ofUsers) {
        ObjectNode job = draft.job();
        String user = unit.last("Service.User");
        if (user != null || !ofUsers) {
            job.put("user", user == null ? "root" : user);
        }
        directory(unit.last("Service.WorkingDirectory"));
        environment();
        put("umask", unit.last("Service.UMask"), "0?[0-7]{1,3}");
        String nice = unit.last("Service.Nice");
        if (nice != null && nice.matches("-?[0-9]{1,2}")) {
            job.put("nice", Integer.parseInt(nice));
        }
        times();
        limits();
        String codes = unit.last("Service.SuccessExitStatus");
        if (codes != null) {
            var list = job.putArray("successExitCodes").add(0);
            Matcher number = Pattern.compile("\\b[0-9]{1,3}\\b").matcher(codes);
            while (number.find()) {
                list.add(Integer.parseInt(number.group()));
            }
        }
        command();
        remarks();
    }

    private void put(String field, @Nullable String value, String form) {
        if (value != null && value.matches(form)) {
            draft.job().put(field, value);
        }
    }

    private void directory(@Nullable String said) {
        String dir = said == null ? "/" : said.replaceFirst("^-", "");
        if (dir.startsWith("/")) {
            draft.job().put("workdir", dir);
        } else if (!dir.equals("~")) {
            draft.remark("WorkingDirectory=" + dir + " is left out: it must begin with /");
        }
    }

    private void environment() {
        ObjectNode env = draft.job().objectNode();
        for (String line : unit.all("Service.Environment")) {
            Matcher matcher = ASSIGNMENT.matcher(line);
            while (matcher.find()) {
                String name = first(matcher, 1, 3, 5);
                env.put(name, first(matcher, 2, 4, 6, 7, 8));
                if (name.startsWith("ROWLOCK_")) {
                    draft.remark(name + " is a name that Rowlock sets itself: rename it");
                }
            }
        }
        if (!env.isEmpty()) {
            draft.job().set("env", env);
        }
    }

    private static String first(Matcher matcher, int... groups) {
        for (int group : groups) {
            if (matcher.group(group) != null) {
                return matcher.group(group);
            }
        }
        return "";
    }

    /** A service of type oneshot starts until it has ended; others run after their start. */
    private void times() {
        boolean oneshot = "oneshot".equals(unit.last("Service.Type"));
        String start = unit.last("Service.TimeoutStartSec");
        String most =
                oneshot ? start == null ? unit.last("Service.TimeoutSec") : start : unit.last("Service.RuntimeMaxSec");
        put("timeout", TimeSpan.of(most), ".+");
        put("killGrace", TimeSpan.of(unit.last("Service.TimeoutStopSec")), ".+");
    }

    private void limits() {
        ObjectNode limits = draft.job().objectNode();
        String files = unit.last("Service.LimitNOFILE");
        if (files != null && files.matches("[0-9]{2,7}(?::[0-9]+)?")) {
            limits.put("openFiles", Integer.parseInt(files.replaceFirst(":.*", "")));
        }
        String memory = unit.last("Service.MemoryMax");
        if (memory != null && memory.matches("[0-9]+[KMGT]")) {
            limits.put("memory", memory + "iB");
        }
        if (!limits.isEmpty()) {
            draft.job().set("limits", limits);
        }
    }

    private void command() {
        List<String> commands = new ArrayList<>();
        for (String file : unit.all("Service.EnvironmentFile")) {
            String path = file.replaceFirst("^-", "");
            commands.add(
                    file.startsWith("-")
                            ? "set -a; [ ! -r " + path + " ] || . " + path + "; set +a"
                            : "set -a; . " + path + "; set +a");
            draft.remark(
                    path + " is read by the shell, and has to be on each node; systemd takes its values literally");
        }
        List<String> steps = new ArrayList<>();
        for (String key : List.of("ExecStartPre", "ExecStart", "ExecStartPost")) {
            for (String line : unit.all("Service." + key)) {
                ExecText.Said said = ExecText.of(line);
                said.remarks().forEach(draft::remark);
                steps.add(said.command());
            }
        }
        if (unit.all("Service.ExecStart").isEmpty()) {
            draft.lose(unit.name() + " has no ExecStart=");
        }
        commands.add(String.join(" && ", steps));
        draft.job().put("command", String.join("\n", commands));
    }

    private void remarks() {
        String type = unit.last("Service.Type");
        if (type != null && type.matches("forking|notify.*|dbus")) {
            draft.remark(
                    "Type=" + type + ": here a run lasts until its first process ends, and what is left is killed");
        }
        String output = unit.last("Service.StandardOutput");
        if (output != null && output.matches("(?:file|append|truncate):.*")) {
            draft.remark("StandardOutput=" + output + " is left out: output is kept with each run (rowlock task logs)");
        }
        Set<String> others = new TreeSet<>(unit.keys("Service"));
        others.removeAll(KNOWN);
        if (!others.isEmpty()) {
            draft.remark("left out, as a job has no such thing: " + String.join(", ", others));
        }
        if (!unit.unresolved().isEmpty()) {
            draft.remark("only a host knows what " + String.join(", ", unit.unresolved()) + " stands for: replace it");
        }
    }
}
