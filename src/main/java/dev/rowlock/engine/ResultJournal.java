package dev.rowlock.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results that are not in the database yet, one JSON object a line, in a file that outlives the process: so that a daemon that ends while the
 * database is away loses none. A line survives the death of the process, not that of the machine (it is not forced to the disk for each command).
 * A disk that is full costs this safety net and nothing else. Thread-safe.
 */
final class ResultJournal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ResultJournal.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileChannel file;
    private final Path path;

    ResultJournal(Path path) {
        this.path = path;
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            this.file = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the journal of results " + path, e);
        }
    }

    /** Writes it down, then lets {@code noted} put it where {@link #clearIf} will see that it is not in the database yet. */
    synchronized void append(Ending ending, Runnable noted) {
        append(ending);
        noted.run();
    }

    private void append(Ending ending) {
        try {
            ByteBuffer line =
                    ByteBuffer.wrap((JSON.writeValueAsString(write(ending)) + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                file.write(line);
            }
        } catch (IOException e) {
            log.warn("the result of {} is not in the journal {}: {}", ending.launch(), path, e.toString());
        }
    }

    /** What is in the file; a line that was cut short by a crash is left out. */
    synchronized List<Ending> read() {
        List<Ending> endings = new ArrayList<>();
        try {
            // Not readAllLines, which fails as a whole when the last line was cut in the middle of a character.
            for (String line : new String(Files.readAllBytes(path), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                Ending ending = parse(line);
                if (ending != null) {
                    endings.add(ending);
                }
            }
        } catch (IOException e) {
            log.warn("the journal of results {} cannot be read: {}", path, e.toString());
        }
        return endings;
    }

    /** Empties it, if all results so far are in the database; no result is noted between the question and the deed. */
    synchronized void clearIf(BooleanSupplier allRecorded) {
        if (allRecorded.getAsBoolean()) {
            clear();
        }
    }

    /** All results so far are in the database. */
    synchronized void clear() {
        try {
            if (file.size() > 0) {
                file.truncate(0);
            }
        } catch (IOException e) {
            log.warn("the journal of results {} cannot be emptied: {}", path, e.toString());
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            log.warn("closing the journal of results {}: {}", path, e.toString());
        }
    }

    private static ObjectNode write(Ending e) {
        return JSON.createObjectNode()
                .put("task", e.taskId())
                .put("launch", e.launch() == null ? null : e.launch().text())
                .put("shard", e.shard())
                .put("outcome", e.outcome().name())
                .put("reason", e.reason())
                .put("endedAt", e.endedAt() == null ? null : e.endedAt().toString())
                .put("durationMillis", e.durationMillis())
                .put("exitCode", e.exitCode())
                .put("exitSignal", e.exitSignal())
                .put("outputBytes", e.outputBytes());
    }

    private static @Nullable Ending parse(String line) {
        try {
            JsonNode e = JSON.readTree(line);
            return new Ending(
                    e.required("task").longValue(),
                    new LaunchId(e.required("launch").textValue()),
                    e.required("shard").intValue(),
                    Outcome.valueOf(e.required("outcome").textValue()),
                    e.path("reason").textValue(),
                    e.path("endedAt").isNull()
                            ? null
                            : Instant.parse(e.path("endedAt").textValue()),
                    e.path("durationMillis").isNumber()
                            ? e.path("durationMillis").longValue()
                            : null,
                    e.path("exitCode").isNumber() ? e.path("exitCode").intValue() : null,
                    e.path("exitSignal").isNumber() ? e.path("exitSignal").intValue() : null,
                    e.path("outputBytes").isNumber() ? e.path("outputBytes").longValue() : null);
        } catch (JsonProcessingException | RuntimeException e) {
            log.warn("a line of the journal of results is not readable and is left out: {}", e.toString());
            return null;
        }
    }
}
