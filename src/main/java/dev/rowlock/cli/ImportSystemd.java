package dev.rowlock.cli;

import dev.rowlock.cli.files.Texts;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.systemd.TimerImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock import systemd}. */
@Command(
        description = "Writes what timers of systemd run as jobs, as rowlock apply reads them, with a comment for all"
                + " that means something else here or cannot be carried over. Changes nothing without --apply, and then"
                + " needs no node.",
        footer = "systemctl cat '*.timer' '*.service' | rowlock import systemd - >jobs.yaml")
@Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
final class ImportSystemd extends Import {

    /** What comes later wins. */
    private static final List<String> SYSTEM =
            List.of("/usr/lib/systemd/system", "/run/systemd/system", "/etc/systemd/system");

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE|DIR|-",
            description =
                    "Units, directories of them, or what systemctl cat prints. Name the timers with their services.")
    private List<String> files = List.of();

    @Option(names = "--system", arity = "0", description = "All units of this machine's directories.")
    private boolean system;

    @Option(
            names = "--of-user",
            arity = "0",
            description = "They are those of systemctl --user: root runs none of them.")
    private boolean ofUser;

    @Override
    void read(ImportText to) {
        List<String> sources = new ArrayList<>(
                system
                        ? SYSTEM.stream()
                                .filter(dir -> Files.isDirectory(Path.of(dir)))
                                .toList()
                        : List.of());
        sources.addAll(files);
        if (sources.isEmpty()) {
            throw misunderstood("name units, a directory, - for standard input, or --system");
        }
        Map<String, String> units = new LinkedHashMap<>();
        StringBuilder others = new StringBuilder();
        for (String source : sources) {
            if (source.equals("-")) {
                others.append(text(source)).append('\n');
            } else {
                fragments(Path.of(source)).forEach(file -> {
                    String name = file.getFileName().toString();
                    boolean isDropIn = name.endsWith(".conf");
                    units.put(
                            isDropIn ? file.toString() : name,
                            "# " + file.toAbsolutePath() + "\n" + text(file.toString()) + "\n");
                });
            }
        }
        to.add(
                "From " + String.join(", ", sources.stream().map(Import::called).toList()) + ". " + TimerImport.HEAD,
                new TimerImport(zone(), ofUser, isShadow()).read(String.join("", units.values()) + others));
    }

    /** Units before what is dropped into them. */
    private static List<Path> fragments(Path source) {
        if (!Files.isDirectory(source)) {
            return List.of(source);
        }
        try (Stream<Path> all = Files.walk(source, 2)) {
            List<Path> sorted = all.filter(Files::isRegularFile).sorted().toList();
            List<Path> fragments = new ArrayList<>(sorted.stream()
                    .filter(file -> file.toString().matches(".*\\.(timer|service)") && source.equals(file.getParent()))
                    .toList());
            sorted.stream()
                    .filter(file -> file.toString().matches(".*\\.(timer|service)\\.d/[^/]+\\.conf"))
                    .forEach(fragments::add);
            return fragments;
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, source + " cannot be read: " + Texts.reason(e));
        }
    }
}
