package dev.rowlock.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * A recorder of what each test class executes, in this JVM and in the nodes that it starts. It does nothing unless the
 * build has the profile {@code coverage}, which {@code scripts/planted-faults --record} uses: then JaCoCo's agent is
 * there, and the system property names its file.
 */
public final class CoverageRecorder implements TestExecutionListener {

    /** Where the recording is: a file of JaCoCo for each class. */
    static final Path DIRECTORY = Path.of("target", "coverage");
    /** The same for nodes. */
    static final Path OF_NODES = Path.of("target", "coverage-nodes");

    private static final String AGENT = System.getProperty("rowlock.coverage.agent", "");

    private static volatile String running = "";

    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /** Whether it records: then a node must run from the classes that the agent knows. */
    public static boolean isOn() {
        return !AGENT.isEmpty();
    }

    /** Tells how to start a main class in a JVM of its own: recorded, if this one is. */
    public static List<String> started(String main) {
        if (!isOn()) {
            return List.of(main);
        }
        Path file = OF_NODES.resolve(running + ".exec").toAbsolutePath();
        String agent = "-javaagent:" + AGENT + "=includes=dev.rowlock.*,append=true,destfile=" + file;
        return List.of(agent, RecordedNode.class.getName(), main);
    }

    /** Forgets what was recorded of a class before. */
    @Override
    public void executionStarted(TestIdentifier test) {
        String name = name(test);
        if (!isOn() || name.isEmpty()) {
            return;
        }
        running = name;
        if (begun.add(name)) {
            try {
                Files.deleteIfExists(DIRECTORY.resolve(name + ".exec"));
                Files.deleteIfExists(OF_NODES.resolve(name + ".exec"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Writes down what was executed since the last class; a class with parameters comes here once for each. */
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = name(test);
        if (!isOn() || name.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(DIRECTORY);
            Files.write(
                    DIRECTORY.resolve(name + ".exec"),
                    executed(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes it from the agent, which is on the class path of a JVM that has it, and on no other. */
    private static byte[] executed() {
        try {
            Object agent = agent();
            return (byte[]) agent.getClass()
                    .getMethod("getExecutionData", boolean.class)
                    .invoke(agent, true);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("not the agent of JaCoCo that was expected", e);
        }
    }

    /** Finds the agent of this JVM. */
    static Object agent() {
        try {
            return Class.forName("org.jacoco.agent.rt.RT").getMethod("getAgent").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("there is no agent of JaCoCo", e);
        }
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName())
                .filter(name -> !name.contains("$"))
                .orElse("");
    }
}
