package dev.rowlock.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that starts an embedded database, says so, and stops it at its end of input: a node, as far as the database sees. */
final class DatabaseUser {

    private DatabaseUser() {}

    /** Starts one; returns when its database is started. */
    static Process start(Path dir) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DatabaseUser.class.getName(),
                        dir.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> output = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.add(line);
            if (line.equals("started")) {
                break;
            }
        }
        assertThat(output).last().isEqualTo("started");
        return process;
    }

    public static void main(String[] args) throws IOException {
        EmbeddedDatabase database = EmbeddedDatabase.start(Path.of(args[0]));
        System.out.println("started");
        while (System.in.read() >= 0) {
            // until the test closes our input
        }
        database.close();
    }
}
