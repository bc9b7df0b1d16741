package dev.rowlock.cli.plan;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.systemd.TimerImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
public final class ImportSystemd extends Import {

    /** Directories of units, of which the later win. */
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

    private final Set<String> enabled = new HashSet<>();
    private final Set<String> masked = new TreeSet<>();

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
                others.append(lines(source)).append('\n');
            } else {
                fragments(Path.of(source)).forEach(file -> add(file, units));
            }
        }
        Set<String> disabled = new HashSet<>(system ? units.keySet() : Set.of());
        disabled.removeAll(enabled);
        to.begin(
                "From " + String.join(", ", sources.stream().map(Import::called).toList()) + ". " + TimerImport.HEAD);
        masked.forEach(name -> to.say(List.of(name + " is masked, and is left out")));
        new TimerImport(zone(), ofUser, disabled).read(String.join("", units.values()) + others, to);
    }

    @Override
    String nothing() {
        return "no timer was recognized: give files of units, directories of them, or what systemctl cat prints, which"
                + " has the path of each unit in front of it";
    }

    /** Adds a unit in place of an earlier one of its name; a link to nothing takes that away. */
    private void add(Path file, Map<String, String> units) {
        String name = file.getFileName().toString();
        boolean isDropIn = name.endsWith(".conf");
        if (!isDropIn && isMasked(file)) {
            units.remove(name);
            masked.add(name);
            return;
        }
        masked.remove(name);
        units.put(
                isDropIn ? file.toString() : name,
                "# " + file.toAbsolutePath().toString().replace(' ', '_') + "\n" + lines(file.toString()) + "\n");
    }

    private static boolean isMasked(Path file) {
        try {
            return Files.isSymbolicLink(file)
                    && Files.readSymbolicLink(file).toString().equals("/dev/null");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the files of units before their drop-ins. */
    private List<Path> fragments(Path source) {
        if (!Files.isDirectory(source)) {
            return List.of(source);
        }
        try (Stream<Path> all = Files.walk(source, 2)) {
            List<Path> sorted = all.sorted().toList();
            List<Path> fragments = new ArrayList<>();
            for (Path file : sorted) {
                boolean isHere = source.equals(file.getParent());
                String name = file.getFileName().toString();
                if (file.toString().matches(".*\\.(?:wants|requires)/[^/]+\\.timer")) {
                    enabled.add(name);
                    if (name.matches(".*@.+\\.timer") && Files.isRegularFile(file)) {
                        fragments.add(0, file); // an instance of a template
                    }
                } else if (isHere && name.matches(".*\\.(?:timer|service)") && isUnit(file)) {
                    fragments.add(file);
                }
            }
            sorted.stream()
                    .filter(file -> file.toString().matches(".*\\.(timer|service)\\.d/[^/]+\\.conf"))
                    .filter(Files::isRegularFile)
                    .forEach(fragments::add);
            return fragments;
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, source + " cannot be read: " + TextReader.reason(e));
        }
    }

    /**
     * Returns whether this is a unit's file; a link to a unit of another name is an alias, unless that is its template.
     */
    private static boolean isUnit(Path file) throws IOException {
        if (!Files.isSymbolicLink(file)) {
            return Files.isRegularFile(file) && Files.isReadable(file);
        }
        String target = Files.readSymbolicLink(file).getFileName().toString();
        String name = file.getFileName().toString();
        return target.equals("null")
                || (Files.isRegularFile(file)
                        && (target.equals(name) || target.equals(name.replaceFirst("@.*(?=\\.)", "@"))));
    }
}
