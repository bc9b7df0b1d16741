package dev.rowlock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A disk of a few mebibytes that a test can fill: a tmpfs. Only root may mount one; elsewhere the test is skipped, and says so. */
public final class SmallDisk implements AutoCloseable {

    private final Path directory;

    /** A test on a disk of its own. */
    public interface Body {
        void run(SmallDisk disk) throws Exception;
    }

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Mounts, runs and unmounts. */
    public static void onOne(Body body) throws Exception {
        try (SmallDisk disk = mount(2)) {
            body.run(disk);
        }
    }

    /** A disk of so many mebibytes, the caller's to close when nobody writes to it any more. */
    public static SmallDisk mount(int mebibytes) throws IOException {
        return mount("size=" + mebibytes + "m");
    }

    /** A disk with room for so many files, and for all that they hold. */
    public static SmallDisk forFiles(int files) throws IOException {
        return mount("size=64m,nr_inodes=" + files);
    }

    private static SmallDisk mount(String options) throws IOException {
        Path directory = Files.createTempDirectory("rowlock-disk");
        boolean mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
        assumeTrue(
                mounted, "SKIPPED: a small tmpfs cannot be mounted here (that takes root), so no disk can be filled");
        return new SmallDisk(directory);
    }

    public Path directory() {
        return directory;
    }

    /** Until not one byte more can be written. */
    public void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filler())) {
            byte[] block = new byte[4096];
            while (directory.toFile().getUsableSpace() > 0) {
                out.write(block);
            }
        }
    }

    /** Until not one file more can be made. */
    public void fillWithFiles() throws IOException {
        Files.createDirectories(filler());
        try {
            for (int i = 0; ; i++) {
                Files.createFile(filler().resolve("" + i));
            }
        } catch (FileSystemException e) {
            assertThat(e.getReason()).isEqualTo("No space left on device");
        }
    }

    /** Files can be made again. */
    public void freeFiles() throws IOException {
        try (Stream<Path> files = Files.list(filler())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** What filled it is gone. */
    public void free() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return directory.resolve("filler");
    }

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.onExit().join().exitValue() == 0;
    }

    @Override
    public void close() throws IOException {
        if (run("umount", "--lazy", directory.toString())) {
            Files.deleteIfExists(directory);
        }
    }
}
