package dev.rowlock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** JSON Schema of files with jobs, as it was made from the fields of a job when Rowlock was built. */
public final class JobSchema {

    private static final String RESOURCE = "/rowlock-jobs.schema.json";

    private JobSchema() {}

    public static String text() {
        try (InputStream in = Objects.requireNonNull(JobSchema.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the schema of each field of a job, in their order. */
    static Iterable<Map.Entry<String, JsonNode>> fields() {
        return Trees.json(text())
                .path("definitions")
                .path("job")
                .path("properties")
                .properties();
    }
}
