package dev.rowlock.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How many bare {@code bash -c true} a Java program starts and collects in a second: in a process of its own, as Java forks one way only in its
 * life.
 */
final class Spawns {

    private static final double SECONDS = 3;

    private Spawns() {}

    /** @param mechanism {@code POSIX_SPAWN}, which is what Java does by itself, or {@code VFORK}, which is faster */
    static double perSecond(String mechanism, int threads) throws IOException, InterruptedException {
        String java = ProcessHandle.current().info().command().orElse("java");
        Process measuring = new ProcessBuilder(
                        java,
                        "-Djdk.lang.Process.launchMechanism=" + mechanism,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Spawns.class.getName(),
                        Integer.toString(threads))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(measuring.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (measuring.waitFor() != 0) {
            throw new IllegalStateException("measuring the starts of processes failed: " + said);
        }
        return Double.parseDouble(said);
    }

    /** The mechanisms that this Java has and does not advise against. */
    static List<String> mechanisms() {
        return Runtime.version().feature() < 25 ? List.of("POSIX_SPAWN", "VFORK") : List.of("POSIX_SPAWN");
    }

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        during(1, threads); // so that what is measured is compiled
        System.out.println(during(SECONDS, threads));
    }

    private static double during(double seconds, int threads) throws InterruptedException {
        return Limits.perSecond(threads, seconds, Shells::runTrue);
    }
}
