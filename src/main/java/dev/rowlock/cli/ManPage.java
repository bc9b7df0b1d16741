package dev.rowlock.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help of a command as a manual page, in the language of man(7). */
final class ManPage {

    private final CommandSpec spec;
    private final UsageMessageSpec says;
    private final CommandLine line;
    private final StringBuilder page = new StringBuilder();

    private ManPage(CommandLine line) {
        this.line = line;
        this.spec = line.getCommandSpec();
        this.says = spec.usageMessage();
    }

    /** Returns the name by which {@code man} finds it: {@code rowlock-job-list}. */
    static String name(CommandLine line) {
        return line.getCommandSpec().qualifiedName("-");
    }

    /** @param version of Rowlock */
    static String of(CommandLine line, String version) {
        return new ManPage(line).page(version);
    }

    private String page(String version) {
        String name = name(line);
        page.append(".TH \"")
                .append(text(name.toUpperCase(Locale.ROOT)))
                .append("\" 1 \"\" \"rowlock ")
                .append(text(version))
                .append("\" \"Rowlock\"\n");
        section("NAME", text(name) + " \\- " + text(first(said(says.description()))));
        section(
                "SYNOPSIS",
                bold(spec.qualifiedName()) + " " + text(rest(line.getHelp().synopsis(0))));
        section("DESCRIPTION", text(said(says.description())));
        arguments();
        commands();
        section("EXIT STATUS", "");
        says.exitCodeList().forEach((code, meaning) -> item(bold(code.strip()), meaning));
        section("EXAMPLE", ".nf\n" + text(said(says.footer())) + "\n.fi");
        section("SEE ALSO", others());
        return page.toString();
    }

    private void arguments() {
        if (!spec.positionalParameters().isEmpty()) {
            section("ARGUMENTS", "");
            spec.positionalParameters().forEach(p -> item(italic(p.paramLabel()), said(p.description())));
        }
        section("OPTIONS", "");
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                String names = Arrays.stream(option.names()).map(ManPage::bold).collect(Collectors.joining(", "));
                item(
                        option.arity().max() == 0 ? names : names + " " + italic(option.paramLabel()),
                        said(option.description()));
            }
        }
    }

    private void commands() {
        Map<String, CommandLine> below = line.getSubcommands();
        if (below.isEmpty()) {
            return;
        }
        section("COMMANDS", "");
        below.forEach((name, command) -> {
            UsageMessageSpec its = command.getCommandSpec().usageMessage();
            if (!its.hidden()) {
                item(bold(name(command)) + "(1)", first(said(its.description())));
            }
        });
    }

    private String others() {
        CommandLine parent = line.getParent();
        return parent == null ? bold("rowlock-help") + "(1)" : bold(name(parent)) + "(1)";
    }

    private void section(String title, String body) {
        page.append(".SH ").append(title).append('\n').append(body).append(body.isEmpty() ? "" : "\n");
    }

    private void item(String what, String about) {
        page.append(".TP\n").append(what).append('\n').append(text(about)).append('\n');
    }

    private static String said(String[] text) {
        return String.join(" ", text).replace("%n", "\n").replace("$$", "$");
    }

    private static String first(String text) {
        return text.replaceFirst("(?s)[.:] .*", "").replaceFirst("\\.$", "");
    }

    private String rest(String synopsis) {
        return synopsis.strip().replaceAll("\\s+", " ").replaceFirst("^" + spec.qualifiedName() + " ?", "");
    }

    private static String bold(String text) {
        return "\\fB" + text(text) + "\\fR";
    }

    private static String italic(String text) {
        return "\\fI" + text(text) + "\\fR";
    }

    /** Quotes a text, so that nothing in it commands the formatter. */
    private static String text(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
