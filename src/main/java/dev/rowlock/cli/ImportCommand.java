package dev.rowlock.cli;

import dev.rowlock.cli.crontab.CrontabImport;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rowlock import crontab}. */
@Command(
        description = "Writes what crontabs say as jobs, as rowlock apply reads them, with a comment for each line that"
                + " means something else here or cannot be carried over. Changes nothing, and needs no node.",
        footer = "crontab -l | rowlock import crontab - >jobs.yaml")
final class ImportCommand implements Runnable {

    private static final List<String> SPOOLS =
            List.of("/var/spool/cron/crontabs", "/var/spool/cron/tabs", "/var/spool/cron");

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE|-",
            description = "Crontabs. /etc/crontab and files in a cron.d have a column for the user; others have none,"
                    + " unless --user-column says so.")
    private List<String> files = List.of();

    @Option(names = "--system", arity = "0", description = "/etc/crontab and all that is in /etc/cron.d.")
    private boolean system;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "The crontab of this user; with FILE, whose crontab that is.")
    private @Nullable String user;

    @Option(names = "--user-column", arity = "0", description = "There is a column for the user.")
    private boolean userColumn;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = "default",
            description = "What the jobs belong to; default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "The zone of the host that they come from; default: that of this machine.")
    private @Nullable String zone;

    @Spec
    private @Nullable CommandSpec spec;

    private final Surroundings around;
    private final List<String> skipped = new ArrayList<>();

    ImportCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public void run() {
        CrontabImport crontabs = new CrontabImport(namespace, zone());
        List<String> documents = new ArrayList<>();
        for (String file : sources()) {
            boolean withUser = userColumn || file.equals("/etc/crontab") || file.matches("(?:.*/)?cron\\.d/[^/]+");
            documents.add(crontabs.document(
                    file.equals("-") ? "standard input" : file, text(file), withUser, withUser ? null : user));
        }
        around.out().print(String.join("---\n", documents));
        skipped.forEach(file -> around.err().println(file + " is left out: cron runs no file with such a name"));
        around.err()
                .println(crontabs.jobs() + " jobs"
                        + (crontabs.lost() == 0
                                ? ""
                                : "; " + crontabs.lost() + " entries are not carried over: the comments say why"));
    }

    private ZoneId zone() {
        try {
            return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw misunderstood("\"" + zone + "\" is not a time zone, such as Europe/Berlin");
        }
    }

    private ParameterException misunderstood(String why) {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException(why);
        }
        return new ParameterException(known.commandLine(), why);
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>(files);
        if (system) {
            sources.add("/etc/crontab");
            sources.addAll(ofDirectory(Path.of("/etc/cron.d")));
        }
        String owner = user;
        if (sources.isEmpty() && owner != null) {
            sources.add(spool(owner));
        }
        if (sources.isEmpty()) {
            throw misunderstood("name a file, - for standard input, --system, or --user NAME");
        }
        return sources;
    }

    private List<String> ofDirectory(Path dir) {
        if (!Files.isDirectory(dir)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(dir)) {
            List<String> names = new ArrayList<>();
            all.sorted().forEach(file -> {
                boolean isRun = file.getFileName().toString().matches("[A-Za-z0-9_-]+");
                (isRun ? names : skipped).add(file.toString());
            });
            return names;
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, dir + " cannot be read: " + e);
        }
    }

    private static String spool(String name) {
        if (!name.contains("/")) {
            for (String dir : SPOOLS) {
                Path file = Path.of(dir, name);
                if (Files.isRegularFile(file) && Files.isReadable(file)) {
                    return file.toString();
                }
            }
        }
        throw new CommandFailed(
                ExitCode.FAILED,
                "no crontab of " + name + " can be read here; run: crontab -l -u " + name
                        + " | rowlock import crontab - --user " + name);
    }

    private String text(String file) {
        try {
            return file.equals("-")
                    ? new String(around.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (CharacterCodingException e) {
            throw new CommandFailed(ExitCode.FAILED, file + ": this is no text in UTF-8");
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + e);
        }
    }
}
