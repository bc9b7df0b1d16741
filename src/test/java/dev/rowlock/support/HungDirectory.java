package dev.rowlock.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory that does not answer, as on a dead NFS mount: a file system in user space that nobody serves. Whoever enters it, or only asks
 * what it is, hangs until {@link #close} or until it is killed. Only root may mount one; elsewhere the test is skipped, and says so.
 */
public final class HungDirectory implements AutoCloseable {

    private final Path directory;
    private final Process holder;

    private HungDirectory(Path directory, Process holder) {
        this.directory = directory;
        this.holder = holder;
    }

    public static HungDirectory mount() throws IOException {
        Path directory = Files.createTempDirectory("rowlock-hung");
        String script = "exec 9<>/dev/fuse"
                + " && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 rowlock-hung \"$1\""
                + " && echo mounted && read -r _";
        Process holder = new ProcessBuilder("bash", "-c", script, "hung", directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean mounted = "mounted".equals(holder.inputReader().readLine());
        assumeTrue(mounted, "SKIPPED: no file system can be mounted through /dev/fuse here (that takes root)");
        return new HungDirectory(directory, holder);
    }

    public Path path() {
        return directory;
    }

    /** Whoever hangs there gets an error; the directory beneath shows again. */
    @Override
    public void close() throws IOException {
        holder.destroyForcibly()
                .onExit()
                .join(); // nobody holds the file system any more: what waited for it is told so
        Process unmount = new ProcessBuilder("umount", "--lazy", directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (unmount.onExit().join().exitValue() == 0) {
            Files.deleteIfExists(directory);
        }
    }
}
