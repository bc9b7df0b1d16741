package dev.rowlock.faults;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One JVM with test classes to run, watched from outside: by the clock, and by what it starts. */
final class Trial {

    private static final long LOOK_MILLIS = 100;

    private final Path project;
    private final List<Path> classPath;
    private final Path directory;

    /**
     * @param classPath in the order that counts
     * @param directory its own, for what it reads and writes
     */
    Trial(Path project, List<Path> classPath, Path directory) {
        this.project = project;
        this.classPath = classPath;
        this.directory = directory;
    }

    /** Runs these until one fails, hangs or kills the JVM, or until the time is over. */
    Result run(List<Step> steps, Duration limit) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path list = directory.resolve("classes.txt");
        Path report = directory.resolve("report.txt");
        Files.write(list, steps.stream().map(Step::line).toList());
        Files.writeString(report, "");
        Process jvm = start(list, report);
        Trees tree = new Trees(jvm.toHandle());
        Thread atExit = new Thread(tree::kill);
        Runtime.getRuntime().addShutdownHook(atExit); // of somebody who does not want to wait
        try {
            return watch(jvm, tree, steps, report, limit);
        } finally {
            tree.kill();
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }

    private Process start(Path list, Path report) throws IOException {
        String path = classPath.stream()
                .map(entry -> project.resolve(entry).toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-Djdk.httpclient.keepalive.timeout=10"); // as the build has it
        line.addAll(List.of("-cp", path, FaultRun.class.getName(), list.toString(), report.toString()));
        return new ProcessBuilder(line)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output.txt").toFile()))
                .start();
    }

    private static Result watch(Process jvm, Trees tree, List<Step> steps, Path report, Duration limit)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        long since = began;
        int done = 0;
        boolean ended = false;
        while (true) {
            tree.look();
            List<String> lines = whole(Files.readString(report));
            int now = (int)
                    lines.stream().filter(line -> line.startsWith("end\t")).count();
            since = now == done ? since : System.nanoTime();
            done = now;
            String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
            String caught = lines.stream()
                    .filter(line -> line.startsWith("caught\t"))
                    .findFirst()
                    .orElse(null);
            if (caught != null) {
                String[] words = caught.split("\t", -1);
                return Result.caught(done, words[3], words.length > 4 ? words[4] : "");
            }
            if (last.equals("done") || done == steps.size()) {
                return Result.passed(done);
            }
            if (ended) {
                return Result.caught(done, "(the JVM)", "ended with code " + jvm.exitValue());
            }
            if (System.nanoTime() - began > limit.toNanos()) {
                return Result.late(done);
            }
            Duration classLimit = steps.get(done).limit();
            if (System.nanoTime() - since > classLimit.toNanos()) {
                return Result.caught(done, "(the class)", "did not end within " + classLimit.toSeconds() + " s");
            }
            ended = jvm.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The last line may not be all there yet. */
    private static List<String> whole(String text) {
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /**
     * A class to run, of one lane.
     *
     * @param type its full name
     * @param limit how long it may take before it counts as caught by its hanging
     */
    record Step(Lane lane, String type, Duration limit) {

        String line() {
            return lane.word() + "\t" + type;
        }

        String simpleName() {
            return type.substring(type.lastIndexOf('.') + 1);
        }
    }

    /**
     * What came of the classes.
     *
     * @param done how many of them passed
     * @param test the method of the next one that failed; empty if none did
     * @param late whether the time was over before that
     */
    record Result(int done, String test, String why, boolean late) {

        static Result caught(int done, String test, String why) {
            return new Result(done, test, why, false);
        }

        static Result passed(int done) {
            return new Result(done, "", "", false);
        }

        static Result late(int done) {
            return new Result(done, "", "", true);
        }

        boolean isCaught() {
            return !test.isEmpty();
        }
    }
}
