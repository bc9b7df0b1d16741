package dev.rowlock.exec;

import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.output.ReadOutput;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;

/** Spawning with what Java and util-linux have: works everywhere, at about twice the cost of {@link PosixSpawn}. */
final class ProcessBuilderSpawn implements Spawner {

    static final ProcessBuilderSpawn INSTANCE = new ProcessBuilderSpawn();

    /**
     * Java's message for a refusal of the kernel, also of its own helper; except E2BIG, which is the command's doing.
     */
    private static final Pattern KERNEL_REFUSED = Pattern.compile("error=(?!7,)\\d+");

    private static final long STACK = 256 << 10;
    private static final boolean JVM_SPEAKS_UTF_8 = Charset.defaultCharset().equals(StandardCharsets.UTF_8)
            && System.getProperty("sun.jnu.encoding", "")
                    .toUpperCase(Locale.ROOT)
                    .matches("UTF-?8");

    private static final Executor READERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(null, task, "rowlock-read", STACK);
        thread.setDaemon(true);
        return thread;
    });

    private ProcessBuilderSpawn() {}

    @Override
    public SpawnedProcess make(Program program) throws IOException {
        List<String> line = new ArrayList<>(program.line());
        line.add(0, Shell.setsid()); // it becomes the program, under the same pid
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.directory(new File("/"));
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        builder.redirectInput(program.input());
        builder.redirectErrorStream(true);
        ReadOutput output = new ReadOutput(program.output());
        try {
            READERS.execute(output); // first: what nobody reads would hang
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            throw new HostRefused("there can be no thread to read its output: " + e.getMessage(), e);
        }
        try {
            Process process = builder.start();
            output.begin(process.getInputStream());
            return new JavaProcess(process, output);
        } catch (IOException e) {
            output.begin(InputStream.nullInputStream());
            String why = String.valueOf(e.getMessage());
            throw KERNEL_REFUSED.matcher(why).find() ? new HostRefused(why, e) : e;
        } catch (RuntimeException | Error e) {
            output.begin(InputStream.nullInputStream());
            throw e;
        }
    }

    /**
     * Started process, awaited by its own thread: {@link Process#onExit} would take one more on machines of one or two
     * cores.
     */
    private record JavaProcess(Process process, Outflow outflow) implements SpawnedProcess {

        @Override
        public int pid() {
            return Math.toIntExact(process.pid());
        }

        @Override
        public int await() throws InterruptedException {
            return process.waitFor();
        }
    }

    /**
     * Returns whether the text arrives intact: a JVM in the POSIX locale turns everything but ASCII into question
     * marks.
     */
    @Override
    public boolean canPass(String text) {
        return JVM_SPEAKS_UTF_8 || text.chars().allMatch(c -> c < 128);
    }
}
