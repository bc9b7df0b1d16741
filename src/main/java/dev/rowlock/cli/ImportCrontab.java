package dev.rowlock.cli;

import dev.rowlock.cli.crontab.CrontabImport;
import dev.rowlock.cli.files.Texts;
import dev.rowlock.cli.imports.ImportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock import crontab}. */
@Command(
        description = "Writes what crontabs say as jobs, as rowlock apply reads them, with a comment for each line that"
                + " means something else here or cannot be carried over. Changes nothing without"
                + " --apply, and then needs no node.",
        footer = "crontab -l | rowlock import crontab - >jobs.yaml")
@Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
final class ImportCrontab extends Import {

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

    private final List<String> skipped = new ArrayList<>();

    @Override
    void read(ImportText to) {
        CrontabImport crontabs = new CrontabImport(zone());
        for (String file : sources()) {
            boolean withUser = userColumn || file.equals("/etc/crontab") || file.matches("(?:.*/)?cron\\.d/[^/]+");
            crontabs.add(to, called(file), text(file), withUser, withUser ? null : user);
        }
        skipped.forEach(file -> say(file + " is left out: cron runs no file with such a name"));
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
            throw new CommandFailed(ExitCode.FAILED, dir + " cannot be read: " + Texts.reason(e));
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
}
