package dev.rowlock.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Other programs, run to their end. */
final class Programs {

    private Programs() {}

    /**
     * Answers what it wrote to its standard output.
     *
     * @throws IOException it ended with another code than 0; the message has what it said
     */
    static String run(Map<String, String> environment, String... line) throws IOException {
        // Into a file: a server that the program leaves behind would keep a pipe open.
        Path said = Files.createTempFile("chaos", ".log");
        Path complained = Files.createTempFile("chaos", ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectError(complained.toFile()).redirectOutput(said.toFile());
            builder.environment().putAll(environment);
            int code = builder.start().waitFor();
            if (code != 0) {
                throw new IOException(String.join(" ", line) + " ended with code " + code + ": "
                        + (Files.readString(said, StandardCharsets.UTF_8)
                                        + Files.readString(complained, StandardCharsets.UTF_8))
                                .strip());
            }
            return Files.readString(said, StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + line[0] + " ran", e);
        } finally {
            Files.delete(said);
            Files.delete(complained);
        }
    }
}
