package dev.rowlock;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Standard output. Notes write errors, which a {@link PrintStream} keeps to itself. */
final class StandardOutput extends OutputStream {

    private static final Path TARGET = Path.of("/proc/self/fd/1");

    private final OutputStream to = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException refused;

    /** Returns a stream in UTF-8, whatever the host's locale is. */
    PrintStream text() {
        return new PrintStream(new BufferedOutputStream(this), true, StandardCharsets.UTF_8);
    }

    /** Returns why output is missing, for people; empty if none is, or its reader went away. */
    Optional<String> problem() {
        return Optional.ofNullable(refused).filter(e -> !isReadByProgram()).map(IOException::getMessage);
    }

    /**
     * Returns whether a program reads the output: a failed write to a pipe or socket only means that nobody reads any
     * more, as after {@code | head}.
     */
    private static boolean isReadByProgram() {
        try {
            return Files.readSymbolicLink(TARGET).toString().matches("(pipe|socket):.*");
        } catch (IOException e) {
            return false; // it was closed before this began
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            to.write(bytes, from, length);
        } catch (IOException e) {
            refused = e;
            throw e;
        }
    }
}
