package dev.rowlock.cli.systemd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reader of what a service says of its command as fields of a job. */
final class ServiceText {

    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(.*)", Pattern.DOTALL);
    private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([KMGTPE])?B?");
    private static final String UNITS = "KMGTPE";

    /** Names of exit codes by LSB, in the order of their numbers. */
    private static final List<String> LSB = List.of("""
            SUCCESS FAILURE INVALIDARGUMENT NOTIMPLEMENTED NOPERMISSION NOTINSTALLED NOTCONFIGURED
            NOTRUNNING""".split("\\s+"));

    /** Names of exit codes by sysexits.h, in the order of their numbers from 64 on. */
    private static final List<String> SYSEXITS = List.of("""
            USAGE DATAERR NOINPUT NOUSER NOHOST UNAVAILABLE SOFTWARE OSERR OSFILE CANTCREAT IOERR TEMPFAIL
            PROTOCOL NOPERM CONFIG""".split("\\s+"));

    private static final int FIRST_SYSEXIT = 64;

    /** Keys of which something becomes a field, or is said here. */
    private static final Set<String> CARRIED = Set.of("""
            Service.ExecStart Service.ExecStartPre Service.ExecStartPost Service.ExecCondition Service.User
            Service.Group Service.SupplementaryGroups Service.DynamicUser Service.Environment
            Service.EnvironmentFile Service.WorkingDirectory Service.UMask Service.Nice Service.TimeoutStartSec
            Service.TimeoutSec Service.RuntimeMaxSec Service.TimeoutStopSec Service.SuccessExitStatus
            Service.LimitNOFILE Service.MemoryMax Service.MemoryLimit Service.StandardOutput
            Service.StandardError""".split("\\s+"));

    private final Unit unit;
    private final Draft draft;

    ServiceText(Unit unit, Draft draft) {
        this.unit = unit;
        this.draft = draft;
    }

    void addTo(boolean ofUsers) {
        ObjectNode job = draft.job();
        user(ofUsers);
        directory(unit.last("Service.WorkingDirectory"));
        environment();
        String umask = unit.last("Service.UMask");
        if (umask != null) {
            job.put("umask", umask);
        }
        String nice = unit.last("Service.Nice");
        if (nice != null) {
            number(job, "nice", nice);
        }
        times();
        limits();
        exits();
        command();
        remarks();
    }

    private void number(ObjectNode to, String field, String value) {
        if (value.matches("-?[0-9]{1,9}")) {
            to.put(field, Integer.parseInt(value));
        } else {
            draft.remark("left out: " + field + ", as " + value + " is no number that a job can have");
        }
    }

    /** Sets the user, who never gets more rights than the unit gave. */
    private void user(boolean ofUsers) {
        String user = unit.last("Service.User");
        boolean isDynamic = unit.isTrue("Service.DynamicUser");
        if (isDynamic) {
            draft.job().put("user", "nobody");
            draft.remark("DynamicUser: systemd made a user for it" + (user == null ? "" : ", " + user)
                    + "; here it runs as nobody, unless you name one that each node has");
        } else if (user != null || !ofUsers) {
            draft.job().put("user", user == null ? "root" : user);
        }
        for (String key : List.of("Group", "SupplementaryGroups")) {
            String groups = unit.last("Service." + key);
            if (groups != null) {
                draft.remark("left out: " + key + "=" + groups + ": it runs with the groups of its user");
            }
        }
    }

    private void directory(@Nullable String said) {
        String dir = said == null ? "/" : said.replaceFirst("^-", "");
        if (dir.startsWith("/")) {
            draft.job().put("workdir", dir);
        } else if (!dir.equals("~")) {
            draft.lack("WorkingDirectory=" + dir + " is left out: it must begin with /");
        }
    }

    private void environment() {
        ObjectNode env = draft.job().objectNode();
        for (String line : unit.all("Service.Environment")) {
            for (String word : Words.of(line)) {
                Matcher assignment = ASSIGNMENT.matcher(word);
                if (assignment.matches()) {
                    env.put(assignment.group(1), assignment.group(2));
                } else {
                    draft.remark("left out, as systemd does, too: " + word + " of Environment= sets nothing");
                }
            }
        }
        if (!env.isEmpty()) {
            draft.job().set("env", env);
        }
    }

    /** Sets the time limits. A service of type oneshot starts until it has ended; others run after their start. */
    private void times() {
        boolean oneshot = "oneshot".equals(unit.last("Service.Type"));
        String both = unit.last("Service.TimeoutSec");
        String start = unit.last("Service.TimeoutStartSec");
        String stop = unit.last("Service.TimeoutStopSec");
        String longest = unit.last("Service.RuntimeMaxSec");
        span("timeout", oneshot ? start == null ? both : start : longest);
        if (oneshot && longest != null) {
            draft.remark("left out: RuntimeMaxSec=" + longest + ", which a service of type oneshot does not heed");
        }
        span("killGrace", stop == null ? both : stop);
    }

    private void span(String field, @Nullable String said) {
        String span = TimeSpan.of(said);
        if (span != null) {
            draft.job().put(field, span);
        } else if (said != null && !said.matches("0|infinity")) {
            draft.remark("left out: " + field + ", as " + said + " is not understood");
        } else if (said != null && field.equals("killGrace")) {
            draft.remark(
                    "left out: TimeoutStopSec=" + said + ": a command that does not end gets KILL after killGrace");
        }
    }

    private void limits() {
        ObjectNode limits = draft.job().objectNode();
        String files = unit.last("Service.LimitNOFILE");
        if (files != null && !files.equals("infinity")) {
            number(limits, "openFiles", files.replaceFirst(":.*", ""));
        }
        String memory = unit.last("Service.MemoryMax") == null
                ? unit.last("Service.MemoryLimit")
                : unit.last("Service.MemoryMax");
        if (memory != null && !memory.equals("infinity")) {
            Matcher size = SIZE.matcher(memory);
            if (size.matches()) {
                int power = size.group(2) == null ? 0 : UNITS.indexOf(size.group(2)) + 1;
                limits.put("memory", bytes(size.group(1), power));
            } else {
                draft.remark("left out: the limit of memory, " + memory);
            }
        }
        if (!limits.isEmpty()) {
            draft.job().set("limits", limits);
        }
    }

    private static String bytes(String count, int power) {
        if (!count.contains(".") && power > 0) {
            return count + UNITS.charAt(power - 1) + "iB";
        }
        return new BigDecimal(count)
                .multiply(BigDecimal.valueOf(1024).pow(power))
                .toBigInteger()
                .toString();
    }

    private void exits() {
        Set<Integer> codes = new LinkedHashSet<>(List.of(0));
        List<String> others = new ArrayList<>();
        for (String line : unit.all("Service.SuccessExitStatus")) {
            for (String word : line.split("\\s+", -1)) {
                int named = SYSEXITS.contains(word) ? FIRST_SYSEXIT + SYSEXITS.indexOf(word) : LSB.indexOf(word);
                if (word.matches("[0-9]{1,3}") || named >= 0) {
                    codes.add(named >= 0 ? named : Integer.parseInt(word));
                } else {
                    others.add(word);
                }
            }
        }
        if (codes.size() > 1) {
            var list = draft.job().putArray("successExitCodes");
            codes.forEach(list::add);
        }
        if (!others.isEmpty()) {
            draft.remark("left out of SuccessExitStatus, as they are no exit codes: " + String.join(", ", others));
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
        for (String line : unit.all("Service.ExecCondition")) {
            commands.add(said(line) + " || exit 0");
            draft.remark("ExecCondition decides whether the command runs: where it fails, the run is SUCCEEDED here,"
                    + " and was skipped there");
        }
        List<String> steps = new ArrayList<>();
        for (String key : List.of("ExecStartPre", "ExecStart", "ExecStartPost")) {
            unit.all("Service." + key).forEach(line -> steps.add(said(line)));
        }
        if (unit.all("Service.ExecStart").isEmpty()) {
            draft.lose(unit.name() + " has no ExecStart=");
        }
        commands.add(String.join(" && ", steps));
        draft.job().put("command", String.join("\n", commands));
        if (commands.stream().anyMatch(text -> text.indexOf('\ufffd') >= 0)) {
            draft.lose("its command is no text in UTF-8: convert the unit, as with iconv -f latin1 -t utf-8");
        }
    }

    private String said(String line) {
        ExecText.TranslatedCommand said = ExecText.of(line);
        said.remarks().forEach(draft::remark);
        return said.command();
    }

    private void remarks() {
        String type = unit.last("Service.Type");
        if (type != null && type.matches("forking|notify.*|dbus")) {
            draft.remark(
                    "Type=" + type + ": here a run lasts until its first process ends, and what is left is killed");
        }
        for (String key : List.of("StandardOutput", "StandardError")) {
            String output = unit.last("Service." + key);
            if (output != null && !output.matches("journal.*|inherit|syslog.*|kmsg.*|tty|null")) {
                draft.remark(key + "=" + output + " is left out: output is kept with each run (rowlock task logs)");
            }
        }
        UnitKeys.say(unit, CARRIED, draft);
        if (!unit.unresolved().isEmpty()) {
            draft.lack("only a host knows what " + String.join(", ", unit.unresolved()) + " stands for: replace it");
        }
    }
}
