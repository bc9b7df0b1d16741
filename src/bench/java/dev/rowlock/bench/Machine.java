package dev.rowlock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What the kernel says of this machine and its processes. */
final class Machine {

    private static final double TICKS_PER_SECOND = 100;

    private Machine() {}

    /** The load average of the last minute: how busy the machine was, also with what is not ours. */
    static String load() {
        return read(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }

    /** Seconds of processor time of this JVM. */
    static double ownCpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    /** Seconds of processor time of a process; 0 if it cannot be seen. */
    static double cpuSeconds(long pid) {
        if (pid <= 0 || !Files.exists(Path.of("/proc/" + pid + "/stat"))) {
            return 0;
        }
        String stat = read(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** The same of those of its threads that live, as exactly as the scheduler knows. */
    static double threadCpuSeconds(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.mapToLong(Machine::nanosOfThread).sum() / 1e9;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long nanosOfThread(Path thread) {
        Path stat = thread.resolve("schedstat");
        return Files.exists(stat) ? Long.parseLong(read(stat).split(" ", 2)[0]) : 0;
    }

    /** Resident memory of a process in MiB. */
    static double residentMiB(long pid) {
        return read(Path.of("/proc/" + pid + "/status"))
                        .lines()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .sum()
                / 1024.0;
    }

    static String description() {
        String model = read(Path.of("/proc/cpuinfo"))
                .lines()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceAll("^.*: *", ""))
                .findFirst()
                .orElse("unknown");
        return Runtime.getRuntime().availableProcessors() + " cores (" + model + "), Linux "
                + System.getProperty("os.version") + ", Java " + Runtime.version();
    }

    /** Looks every few milliseconds until the condition holds or the time is over. */
    static boolean await(double seconds, int everyMillis, BooleanSupplier condition) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(everyMillis * 1_000_000L);
        }
        return true;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
