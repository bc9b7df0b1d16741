package dev.rowlock.cli.plan;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.tables.CommandTemplate;
import dev.rowlock.cli.tables.QuartzImport;
import dev.rowlock.cli.tables.TableText;
import dev.rowlock.cli.tables.XxlJobImport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock import quartz} and {@code rowlock import xxl-job}: what is kept in tables. */
public abstract class ImportTables extends Import {

    private final Supplier<Needs> needs;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE|-|URL",
            description = "Exported tables, as JSON or as CSV with the names of the columns in the first line; or a URL"
                    + " such as jdbc:mysql://db/quartz, where they are read.")
    private List<String> sources = List.of();

    @Option(names = "--database-user", paramLabel = "NAME", description = "As whom, at the URL.")
    private String user = "";

    @Option(
            names = "--database-password-file",
            paramLabel = "FILE|-",
            description = "Their password: the first line of a file, or of standard input.")
    private @Nullable String passwordFile;

    @Option(
            names = "--command",
            paramLabel = "COMMAND",
            description =
                    "What to run for what is a method of a program there; with names in braces, as the example has"
                            + " them.")
    private @Nullable String command;

    ImportTables(Supplier<Needs> needs) {
        this.needs = needs;
    }

    /** {@code rowlock import quartz}. */
    @Command(
            description = "Writes triggers of Quartz as jobs, as rowlock apply reads them, with a comment for all that"
                    + " means something else here or cannot be carried over. It reads QRTZ_TRIGGERS,"
                    + " QRTZ_CRON_TRIGGERS, QRTZ_SIMPLE_TRIGGERS and QRTZ_JOB_DETAILS. Of the jobs' classes, --command"
                    + " says how each is called: {class}, {name} and {group} stand for theirs. Changes nothing without"
                    + " --apply, and then needs no node.",
            footer = "rowlock import quartz jdbc:mysql://db/app --database-user app --command 'java -cp a.jar {class}'")
    @Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
    public static final class Quartz extends ImportTables {

        @Option(
                names = "--prefix",
                paramLabel = "PREFIX",
                defaultValue = "QRTZ_",
                description = "How the names of its tables begin; default: ${DEFAULT-VALUE}.")
        private String prefix = "QRTZ_";

        public Quartz(Supplier<Needs> needs) {
            super(needs);
        }

        @Override
        void read(ImportText to) {
            List<String> tables =
                    QuartzImport.tables().stream().map(table -> prefix + table).toList();
            QuartzImport triggers =
                    new QuartzImport(zone(), template(), around().clock().instant());
            to.begin("From " + named() + ". " + QuartzImport.HEAD, QuartzImport.TOGETHER);
            triggers.read(rows(tables), to);
        }

        @Override
        String nothing() {
            return "no trigger was found: rows of its tables have a column trigger_name; --prefix says how the tables"
                    + " are called";
        }
    }

    /** {@code rowlock import xxl-job}. */
    @Command(
            description = "Writes jobs of XXL-JOB as jobs, as rowlock apply reads them, with a comment for all that"
                    + " means something else here or cannot be carried over. It reads xxl_job_info. Scripts are carried"
                    + " over; of handlers, --command says how each is called: {handler} and {param} stand for theirs."
                    + " Changes nothing without --apply, and then needs no node.",
            footer = "rowlock import xxl-job jobs.csv --command 'curl -fsS http://app/jobs/{handler} -d {param}'")
    @Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
    public static final class XxlJob extends ImportTables {

        public XxlJob(Supplier<Needs> needs) {
            super(needs);
        }

        @Override
        void read(ImportText to) {
            to.begin("From " + named() + ". " + XxlJobImport.HEAD);
            new XxlJobImport(zone(), template()).read(rows(List.of("xxl_job_info")), to);
        }

        @Override
        String nothing() {
            return "no job was found: rows of xxl_job_info have a column glue_type";
        }
    }

    final CommandTemplate template() {
        return new CommandTemplate(command);
    }

    final String named() {
        return String.join(
                ", ",
                sources.stream()
                        .map(source -> called(source.replaceFirst("[?].*", "")))
                        .toList());
    }

    final List<Map<String, String>> rows(List<String> tables) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (String source : sources) {
            if (source.startsWith("jdbc:")) {
                String url = url(source);
                rows.addAll(needs.get().rows(url, user, password(), tables));
            } else {
                try {
                    rows.addAll(TableText.read(text(source)));
                } catch (IOException e) {
                    throw new CommandFailed(
                            ExitCode.FAILED, called(source) + " is neither JSON nor CSV: " + e.getMessage());
                }
            }
        }
        return rows;
    }

    private String url(String source) {
        String url = source.replaceFirst("^jdbc:mariadb:", "jdbc:mysql:");
        if (!url.startsWith("jdbc:mysql:")) {
            throw misunderstood("only databases of MySQL and MariaDB can be read; export the tables as CSV or JSON");
        }
        return url;
    }

    private String password() {
        return passwordFile == null
                ? ""
                : text(passwordFile).lines().findFirst().orElse("");
    }
}
