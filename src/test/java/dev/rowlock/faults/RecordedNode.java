package dev.rowlock.faults;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A node that is recorded: what it executes is written down all the time, for most nodes of tests end by SIGKILL. */
public final class RecordedNode {

    private static final long MILLIS = 300;

    private RecordedNode() {}

    /**
     * Runs another main class.
     *
     * @param arguments its name, and its arguments
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Object agent = CoverageRecorder.agent();
        Method dump = agent.getClass().getMethod("dump", boolean.class);
        ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "coverage");
            thread.setDaemon(true);
            return thread;
        });
        Object unused = writer.scheduleWithFixedDelay(() -> write(dump, agent), MILLIS, MILLIS, TimeUnit.MILLISECONDS);
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static void write(Method dump, Object agent) {
        try {
            dump.invoke(agent, true);
        } catch (ReflectiveOperationException e) {
            System.err.println("coverage is not recorded: " + e.getCause());
        }
    }
}
