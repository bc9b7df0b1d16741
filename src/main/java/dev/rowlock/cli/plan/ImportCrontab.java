package dev.rowlock.cli.plan;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.crontab.CrontabImport;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.imports.ImportText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
public final class ImportCrontab extends Import {

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
            names = "--like-cron",
            arity = "0",
            description = "Write what cron does where Rowlock does otherwise: overlap: ALLOW, misfire: SKIP,"
                    + " onLost: FAIL.")
    private boolean likeCron;

    private final List<String> forgotten = new ArrayList<>();

    @Override
    void read(ImportText to) {
        CrontabImport crontabs = new CrontabImport(zone(), likeCron, users()::contains);
        for (String file : sources()) {
            boolean withUser = userColumn || file.equals("/etc/crontab") || file.matches("(?:.*/)?cron\\.d/[^/]+");
            if (crontabs.add(to, called(file), lines(file), withUser, withUser ? null : user)) {
                forgotten.add(called(file));
            }
        }
        forgotten.forEach(file -> say("warning: each command of " + file + " begins with a user of this machine;"
                + " if that is a column, import with --user-column"));
    }

    @Override
    String nothing() {
        return "no line of a crontab was found: each has five fields or a nickname, and a command";
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>(files);
        if (system) {
            List<String> all = new ArrayList<>();
            if (Files.isRegularFile(Path.of("/etc/crontab"))) {
                all.add("/etc/crontab");
            }
            all.addAll(ofDirectory(Path.of("/etc/cron.d")));
            if (all.isEmpty()) {
                throw new CommandFailed(
                        ExitCode.FAILED, "this machine has neither /etc/crontab nor a crontab in /etc/cron.d");
            }
            sources.addAll(all);
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

    /**
     * Returns the files that cron takes: Debian's and its kin only plain names, cronie all but what editors and
     * packages leave.
     */
    private List<String> ofDirectory(Path dir) {
        if (!Files.isDirectory(dir)) {
            return List.of();
        }
        boolean isDebian = Files.isRegularFile(Path.of("/etc/debian_version"));
        List<String> names = new ArrayList<>();
        try (Stream<Path> all = Files.list(dir)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = file.getFileName().toString();
                boolean isRun = isDebian
                        ? name.matches("[A-Za-z0-9_-]+")
                        : !name.matches("[.#].*|.*(?:~|\\.rpmsave|\\.rpmorig|\\.rpmnew)");
                if (!isRun) {
                    say(file + " is left out: " + (isDebian ? "cron of Debian" : "cronie")
                            + " runs no file with such a name; name it to import it");
                } else if (!Files.isReadable(file)) {
                    say(file + " is left out: permission denied");
                } else {
                    names.add(file.toString());
                }
            }
            return names;
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, dir + " cannot be read: " + TextReader.reason(e));
        }
    }

    private static Set<String> users() {
        try (Stream<String> lines = Files.lines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.replaceFirst(":.*", "")).collect(Collectors.toSet());
        } catch (IOException e) {
            return Set.of("root");
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
