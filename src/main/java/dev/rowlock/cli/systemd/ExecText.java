package dev.rowlock.cli.systemd;

import dev.rowlock.cli.imports.ShellText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Command line of a unit, which no shell reads there, as a line that a shell takes for the same. */
final class ExecText {

    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\$|\\$\\{[A-Za-z_][A-Za-z0-9_]*}|\\$[A-Za-z_][A-Za-z0-9_]*");

    private final List<String> remarks = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private String prefixes = "";

    private ExecText(String line) {
        String rest = line.strip();
        int at = 0;
        while (at < rest.length() && "-@:+!|".indexOf(rest.charAt(at)) >= 0) {
            at++;
        }
        prefixes = rest.substring(0, at);
        Words.of(rest.substring(at).strip()).forEach(word -> words.add(quoted(word)));
    }

    /** Text that a shell gets for one line, with remarks about it. */
    record TranslatedCommand(String command, List<String> remarks) {}

    static TranslatedCommand of(String line) {
        ExecText text = new ExecText(line);
        return new TranslatedCommand(text.command(), text.remarks);
    }

    private String command() {
        List<List<String>> commands = new ArrayList<>(List.of(new ArrayList<>()));
        for (String word : words) {
            if (word.equals(";")) {
                commands.add(new ArrayList<>());
            } else {
                commands.get(commands.size() - 1).add(word.equals("\\;") ? "';'" : word);
            }
        }
        if (prefixes.contains("@") && commands.get(0).size() > 1) {
            remarks.add("the name that it gives the process, " + commands.get(0).remove(1) + ", is left out");
        }
        if (prefixes.contains("+") || prefixes.contains("!")) {
            remarks.add(
                    "systemd runs this command with full privileges, whatever User= says; here all run as one user");
        }
        String joined = String.join(
                " && ",
                commands.stream()
                        .filter(command -> !command.isEmpty())
                        .map(command -> String.join(" ", command))
                        .toList());
        return prefixes.contains("-") ? "{ " + joined + " || true; }" : joined;
    }

    private String quoted(String word) {
        if (word.equals(";") || word.equals("\\;")) {
            return word;
        }
        boolean expands = !prefixes.contains(":") && VARIABLE.matcher(word).find();
        if (!expands) {
            return ShellText.quoted(word);
        }
        if (word.matches("\\$[A-Za-z_][A-Za-z0-9_]*")) {
            return word; // its value is split into words, there as here
        }
        StringBuilder text = new StringBuilder("\"");
        Matcher variable = VARIABLE.matcher(word);
        int from = 0;
        while (variable.find()) {
            text.append(ShellText.inDoubleQuotes(word.substring(from, variable.start())));
            text.append(
                    variable.group().equals("$$")
                            ? "\\$"
                            : variable.group().startsWith("${") ? variable.group() : "\\" + variable.group());
            from = variable.end();
        }
        return text.append(ShellText.inDoubleQuotes(word.substring(from)))
                .append('"')
                .toString();
    }
}
