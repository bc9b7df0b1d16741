package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Remarks on what a command means here and did not mean where output was mailed and exit codes ignored. */
final class CommandRemarks {

    private static final Pattern SECRET = Pattern.compile(
            "(?i).*(?:passw|passphrase|_pass$|^pass$|_pwd$|^pgpass|secret|token|api_?key|private_?key|credential).*");
    private static final Pattern SECRET_OPTION = Pattern.compile(
            "(?i)--?(?:password|passwd|passphrase|secret|token|api-?key)(?:=|\\s+)[\"']?[^-\\s$\"'`/]\\S*"
                    + "|\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b[^|;&]*\\s-p[^\\s$]\\S*"
                    + "|\\bcurl\\b[^|;&]*\\s(?:-u|--user)[ =]?[^\\s$:]+:[^\\s$]+"
                    + "|\\b[a-z]++://[^\\s:/$@]+:[^\\s:/$@]+@");
    private static final Set<String> TESTS = Set.of("test", "[", "[[");
    private static final Set<String> DAEMONS = Set.of("nohup", "disown", "start-stop-daemon", "daemonize", "setsid");
    private static final Pattern INIT =
            Pattern.compile("/etc/(?:rc\\.d/)?init\\.d/.*|/usr/local/etc/rc\\.d/.*|service");
    private static final Set<String> STARTS = Set.of("start", "restart", "force-restart", "condrestart", "onestart");
    private static final Pattern PIPE = Pattern.compile("\\|&?");

    private final ObjectNode job;
    private final List<String> remarks = new ArrayList<>();

    private CommandRemarks(ObjectNode job) {
        this.job = job;
    }

    /** Returns the remarks on a job that has its command. */
    static List<String> of(ObjectNode job) {
        CommandRemarks made = new CommandRemarks(job);
        if (SECRET_OPTION.matcher(Shadow.command(job.path("command"))).find()) {
            made.remarks.add("the command seems to have a password in it: store that with rowlock secret set, and name"
                    + " its variable in secretEnv");
        }
        JsonNode command = job.path("command");
        if (command.isTextual()) {
            made.script(command.asText(), ShellText.commands(command.asText()));
        }
        return made.remarks;
    }

    /** Returns what is to be said of its variables; null: nothing. */
    static @Nullable String secrets(ObjectNode job) {
        Set<String> named = new TreeSet<>();
        for (Map.Entry<String, JsonNode> variable : job.path("env").properties()) {
            String name = variable.getKey();
            boolean isFile = name.matches("(?i).*(?:_FILE|_PATH|_DIR)")
                    || variable.getValue().asText("").isEmpty();
            if (!isFile && (SECRET.matcher(name).matches() || name.matches("MYSQL_PWD|SSHPASS|RESTIC_PASSWORD"))) {
                named.add(name);
            }
        }
        return named.isEmpty()
                ? null
                : "looks like a password, and stands here in plain text: " + String.join(", ", named)
                        + "; store it with rowlock secret set, and name it in secretEnv";
    }

    private void script(String text, List<ShellText.Simple> commands) {
        pipes(text, commands);
        if (isGuarded(commands)) {
            remarks.add("ends with 1 where its test does not hold, which is FAILED here and was nothing there: write"
                    + " if …; then …; fi, or put || exit 0 behind the test");
        }
        if (commands.stream().anyMatch(CommandRemarks::isSilent)) {
            remarks.add("output that goes to /dev/null is missing here, too: drop the redirection, as the output of"
                    + " each run is kept and mailed to nobody");
        }
        if (commands.stream().anyMatch(simple -> simple.words().stream().anyMatch(w -> w.matches("(?:.*/)?flock")))) {
            remarks.add("flock can go where overlap is SKIP or QUEUE: two runs of one job never overlap in the cluster;"
                    + " keep it if other programs take the same lock");
        }
        Set<String> left = new TreeSet<>();
        commands.stream()
                .filter(CommandRemarks::isLeft)
                .forEach(simple -> left.add(simple.words().get(0)));
        if (!left.isEmpty()) {
            remarks.add("what it leaves in the background is killed when it ends (" + String.join(", ", left)
                    + "): start that as a service of the host");
        }
    }

    private void pipes(String text, List<ShellText.Simple> commands) {
        if (text.contains("pipefail")) {
            return;
        }
        for (int i = 1; i < commands.size(); i++) {
            ShellText.Simple last = commands.get(i);
            boolean endsPipe = PIPE.matcher(last.before()).matches()
                    && !PIPE.matcher(last.after()).matches();
            boolean isAsked = last.isAsked() || commands.get(i - 1).isAsked();
            if (endsPipe && !isAsked && !last.words().isEmpty()) {
                remarks.add("its outcome is that of " + last.words().get(0) + ", the last of the pipe, whatever fails"
                        + " in front of it: begin with set -o pipefail"
                        + (job.path("shell").asText("bash").equals("bash") ? "" : ", and run it with shell: bash"));
                return;
            }
        }
    }

    /** Returns true if a test that fails is the end of it, as in {@code [ -x /opt/x ] && /opt/x}. */
    private static boolean isGuarded(List<ShellText.Simple> commands) {
        boolean isGuarded = false;
        for (ShellText.Simple simple : commands) {
            if (simple.depth() == 0) {
                boolean goesOn = List.of("&&", "|", "|&").contains(simple.before());
                isGuarded = (goesOn && isGuarded)
                        || (isTest(simple) && simple.after().equals("&&"));
            }
        }
        return isGuarded;
    }

    private static boolean isTest(ShellText.Simple simple) {
        if (simple.words().isEmpty() || !simple.reserved().isEmpty()) {
            return false;
        }
        List<String> words = simple.words();
        String program = JobNames.file(words.get(0));
        return TESTS.contains(program)
                || (program.matches("command|hash|type|which") && words.size() > 1)
                || (program.matches("[ef]?grep")
                        && words.stream().anyMatch(word -> word.matches("-[a-zA-Z]*q[a-zA-Z]*")));
    }

    private static boolean isSilent(ShellText.Simple simple) {
        boolean isLookup = isTest(simple);
        return !isLookup && simple.redirections().stream().anyMatch(word -> word.matches("(?:[12&])?>>?/dev/null"));
    }

    private static boolean isLeft(ShellText.Simple simple) {
        List<String> words = simple.words();
        if (words.isEmpty()) {
            return false;
        }
        String program = JobNames.file(words.get(0));
        return simple.after().equals("&")
                || DAEMONS.contains(program)
                || (program.equals("screen") && words.stream().anyMatch(word -> word.matches("-[a-zA-Z]*d[a-zA-Z]*")))
                || (program.equals("tmux") && words.contains("-d"))
                || (program.equals("ssh") && words.stream().anyMatch(word -> word.matches("-[a-zA-Z]*f[a-zA-Z]*")))
                || (INIT.matcher(words.get(0)).matches() && words.stream().anyMatch(STARTS::contains));
    }
}
