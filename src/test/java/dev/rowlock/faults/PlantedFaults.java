package dev.rowlock.faults;

import dev.rowlock.faults.Sources.DoesNotApply;
import dev.rowlock.faults.Trial.Result;
import dev.rowlock.faults.Trial.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A check of the tests: plants the faults of a list, one at a time, and says which test catches each. */
public final class PlantedFaults {

    private static final Path PROJECT = Path.of("").toAbsolutePath();
    private static final Path TEST_CLASSES = PROJECT.resolve("target").resolve("test-classes");

    /** What a JVM and its database may take before the first test. */
    private static final Duration START = Duration.ofMinutes(1);

    private final Options options;
    private final Sources sources = new Sources(PROJECT);
    private final Covering covering = Covering.read(PROJECT.resolve(Covering.FILE));
    private final Map<String, List<String>> types = Covering.existing(TEST_CLASSES);
    private final List<Path> classPath;
    private final Planting planting;
    /** What is known of steps without any fault: whether they pass. */
    private final Map<String, Boolean> sound = new HashMap<>();

    private PlantedFaults(Options options) throws IOException {
        this.options = options;
        this.classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
        this.planting = new Planting(PROJECT, sources, classPath);
    }

    /** Does what {@code scripts/planted-faults --help} tells. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Options options = Options.of(arguments);
        if (options.draw()) {
            new Drawing(new Sources(PROJECT), options.seed()).print(System.out);
            return;
        }
        List<Fault> faults = options.chosen(FaultList.read(PROJECT.resolve(FaultList.FILE)));
        System.exit(new PlantedFaults(options).run(faults) ? 0 : 1);
    }

    private boolean run(List<Fault> faults) throws IOException, InterruptedException {
        List<String> wrong = notApplying(sources, faults);
        wrong.forEach(System.out::println);
        if (options.check()) {
            System.out.println((faults.size() - wrong.size()) + " of " + faults.size() + " faults apply");
            return wrong.isEmpty();
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (Fault fault : faults) {
            Verdict verdict = verdict(fault);
            System.out.println(verdict.line());
            verdicts.add(verdict);
        }
        System.out.println();
        Verdict.table(verdicts).forEach(System.out::println);
        return verdicts.stream().allMatch(Verdict::isCaught);
    }

    /** Names the faults that fit the sources no more, and why. */
    static List<String> notApplying(Sources sources, List<Fault> faults) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Fault fault : faults) {
            try {
                sources.find(fault);
            } catch (DoesNotApply e) {
                wrong.add(e.getMessage());
            }
        }
        return wrong;
    }

    private Verdict verdict(Fault fault) throws IOException, InterruptedException {
        try {
            return tried(fault, planting.plant(fault));
        } catch (DoesNotApply e) {
            System.out.println(e.getMessage());
            return Verdict.not(fault, "does not apply", 0);
        }
    }

    /** A test catches a fault if it fails with it, passes without it, and fails with it again. */
    private Verdict tried(Fault fault, Path planted) throws IOException, InterruptedException {
        List<Path> path = new ArrayList<>(List.of(planted));
        path.addAll(classPath);
        Trial trial = new Trial(PROJECT, path, planting.directory(fault));
        List<Step> steps = steps(fault);
        int done = 0;
        Duration spent = Duration.ZERO;
        while (done < steps.size()) {
            long began = System.nanoTime();
            Result result =
                    trial.run(steps.subList(done, steps.size()), options.limit().minus(spent));
            spent = spent.plusNanos(System.nanoTime() - began);
            done += result.done();
            if (result.late()) {
                return Verdict.not(fault, "not caught in time, by " + done + " of " + steps.size(), seconds(spent));
            }
            if (!result.isCaught()) {
                break;
            }
            Step step = steps.get(done);
            String doubt = !isSound(step)
                    ? "fails without the fault too"
                    : !trial.run(List.of(step), step.limit().plus(START)).isCaught() ? "fails now and then" : "";
            if (doubt.isEmpty()) {
                return Verdict.caught(fault, step, result, seconds(spent));
            }
            System.out.println(fault.id() + ": " + step.simpleName() + " " + doubt + ": " + result.why());
            done++;
        }
        return Verdict.not(fault, "not caught by any of " + steps.size(), seconds(spent));
    }

    private boolean isSound(Step step) throws IOException, InterruptedException {
        Boolean known = sound.get(step.line());
        if (known == null) {
            Trial trial = new Trial(PROJECT, classPath, PROJECT.resolve(Path.of("target", "faults", "none")));
            Result result = trial.run(List.of(step), step.limit().plus(START));
            known = !result.isCaught() && !result.late();
            sound.put(step.line(), known);
        }
        return known;
    }

    private List<Step> steps(Fault fault) {
        Set<String> existing = new HashSet<>(types.keySet());
        existing.remove("PlantedFaultsTest");
        boolean all = options.allTests()
                || (covering.isEmpty(fault.id()) && fault.tests().isEmpty());
        List<String> names = all ? covering.all(existing) : covering.classes(fault, existing);
        List<Step> steps = new ArrayList<>();
        for (Lane lane : options.lanes()) {
            for (String name : names) {
                Duration limit = Duration.ofSeconds(60 + Math.round(3 * covering.seconds(name)));
                types.get(name).forEach(type -> steps.add(new Step(lane, type, limit)));
            }
        }
        return steps;
    }

    private static double seconds(Duration spent) {
        return spent.toMillis() / 1000.0;
    }

    /**
     * What became of one fault.
     *
     * @param by the test that caught it, or why none did
     * @param lane of that test; empty if there is none
     */
    private record Verdict(Fault fault, String by, String why, String lane, double seconds) {

        static Verdict caught(Fault fault, Step step, Result result, double seconds) {
            return new Verdict(
                    fault,
                    step.simpleName() + "." + result.test(),
                    result.why(),
                    step.lane().word(),
                    seconds);
        }

        static Verdict not(Fault fault, String why, double seconds) {
            return new Verdict(fault, why, "", "", seconds);
        }

        boolean isCaught() {
            return !lane.isEmpty();
        }

        String line() {
            String result = isCaught() ? "caught by " + by + " (" + lane + ")" : by.toUpperCase(Locale.ROOT);
            return String.format(Locale.ROOT, "%s: %s after %.1f s: %s", fault.id(), result, seconds, why);
        }

        static List<String> table(List<Verdict> verdicts) {
            List<String> lines = new ArrayList<>();
            lines.add("| id | area | origin | kind | caught by | lane | seconds |");
            lines.add("|---|---|---|---|---|---|---|");
            for (Verdict each : verdicts) {
                Fault fault = each.fault;
                lines.add(String.format(
                        Locale.ROOT,
                        "| %s | %s | %s | %s | %s | %s | %.1f |",
                        fault.id(),
                        fault.area(),
                        fault.origin(),
                        fault.kind(),
                        each.isCaught() ? "`" + each.by + "`" : "**" + each.by + "**",
                        each.lane,
                        each.seconds));
            }
            long caught = verdicts.stream().filter(Verdict::isCaught).count();
            lines.add("");
            lines.add(caught + " of " + verdicts.size() + " caught");
            return lines;
        }
    }
}
