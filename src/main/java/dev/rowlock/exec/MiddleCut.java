package dev.rowlock.exec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the middle out of a file to which somebody is appending, by the best way that the file system has. */
final class MiddleCut {

    enum Way {
        /** ext4, xfs: nothing is lost, the file gets shorter. */
        COLLAPSE,
        /** tmpfs, btrfs: nothing is lost, the file keeps its length but not its blocks. */
        PUNCH,
        /** Everywhere: the tail is copied forward, and what is written meanwhile is lost. */
        COPY
    }

    /**
     * @param removed bytes by which the file got shorter
     * @param hole bytes behind the head that are there in length only
     */
    record Taken(long removed, long hole) {}

    private static final Logger LOG = LoggerFactory.getLogger(MiddleCut.class);

    private final long blockSize;
    /** The best that has not failed yet. */
    volatile Way way;

    MiddleCut(Path directory, Way best) throws IOException {
        this.blockSize = Math.max(4096, Files.getFileStore(directory).getBlockSize());
        this.way = best;
    }

    long blockSize() {
        return blockSize;
    }

    /** At least so many bytes, in whole blocks. */
    long blocks(long bytes) {
        return (bytes + blockSize - 1) / blockSize * blockSize;
    }

    /** Both numbers in whole blocks. */
    Taken takeOut(Path file, long from, long length) throws IOException {
        if (way == Way.COLLAPSE) {
            if (fallocate("--collapse-range", file, from, length)) {
                return new Taken(length, 0);
            }
            way = Way.PUNCH;
            LOG.info("{} cannot be shortened in its middle; holes are punched instead", file);
        }
        if (way == Way.PUNCH) {
            if (fallocate("--punch-hole", file, from, length)) {
                return new Taken(0, length);
            }
            way = Way.COPY;
            LOG.info("No holes can be punched in {}; its tail is copied forward instead", file);
        }
        return new Taken(copyForward(file, from, length), 0);
    }

    private static long copyForward(Path file, long from, long length) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel out = FileChannel.open(file, StandardOpenOption.APPEND)) {
            ByteBuffer tail = ByteBuffer.allocate(Math.toIntExact(in.size() - from - length));
            while (tail.hasRemaining() && in.read(tail, from + length + tail.position()) >= 0) {}
            tail.flip();
            long before = in.size();
            in.truncate(from);
            int copied = tail.remaining();
            while (tail.hasRemaining()) {
                out.write(tail);
            }
            return before - from - copied;
        }
    }

    private static boolean fallocate(String how, Path file, long from, long length) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                "fallocate", how, "-o", Long.toString(from), "-l", Long.toString(length), file.toString());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return false; // not installed: the next way is tried
        }
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("fallocate has not come back within 30 s");
            }
            return process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
