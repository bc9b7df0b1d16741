package dev.rowlock.node.recorder;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Retry;
import dev.rowlock.task.Ending;
import dev.rowlock.task.FollowUp;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File of a {@link ResultQueue}, one JSON object a line. A line survives the death of the process, not that of the
 * machine: it is not forced to the disk. Recorded results leave the file when nothing waits any more, or when it has
 * grown to four mebibytes.
 */
final class ResultJournal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ResultJournal.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SHOWN = 200;

    private final Path path;
    private final long roomy;
    private FileChannel file;
    /** Size beyond which it is worth rewriting. */
    private long tooLarge;

    private boolean failing;
    private volatile long bytes;

    ResultJournal(Path path) {
        this(path, 4 << 20);
    }

    /**
     * Opens the journal.
     *
     * @param roomy up to how many bytes recorded results may stay in the file
     */
    ResultJournal(Path path, long roomy) {
        this.path = path;
        this.roomy = roomy;
        this.tooLarge = roomy;
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            this.file = open(path);
            this.bytes = file.size();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the journal of results " + path, e);
        }
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Returns the size of the file, at any time. */
    long bytes() {
        return bytes;
    }

    /** Adds a line. If the disk does not take it, that is logged, and there is none. */
    void append(Ending ending) {
        try {
            long before = file.size();
            try {
                ByteBuffer line = line(ending);
                long after = before + line.remaining();
                writeAll(file, line);
                bytes = after;
            } catch (IOException e) {
                file.truncate(before); // half a line would spoil the next one
                throw e;
            }
            if (failing) {
                log.info("results are written to the journal {} again", path);
            }
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                log.warn(
                        "results are not in the journal {}: if this process dies while the database is away, they are"
                                + " lost. First that of {}: {}",
                        path,
                        ending.launch(),
                        e.toString());
            }
            failing = true;
        }
    }

    private static ByteBuffer line(Ending ending) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.getFactory().createGenerator(bytes)) {
            write(ending, json);
        }
        bytes.write('\n');
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void writeAll(FileChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /** Returns the results in the file; a line that was cut short by a crash, or corrupted, is left out and logged. */
    List<Ending> read() {
        List<Ending> endings = new ArrayList<>();
        try {
            // Not readAllLines, which fails as a whole when the last line was cut in the middle of a character.
            List<String> lines = new String(Files.readAllBytes(path), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            for (int i = 0; i < lines.size(); i++) {
                Ending ending = lines.get(i).isEmpty() ? null : parse(lines.get(i), i + 1);
                if (ending != null) {
                    endings.add(ending);
                }
            }
        } catch (IOException e) {
            log.warn("the journal of results {} cannot be read: {}", path, e.toString());
        }
        return endings;
    }

    /**
     * Drops the lines of recorded results: empties the file if none is waiting, and rewrites it with those that are if
     * it has grown large.
     */
    void keepOnly(Collection<Ending> waiting) {
        try {
            if (waiting.isEmpty()) {
                clear();
            } else if (file.size() > tooLarge) {
                rewrite(waiting);
            }
        } catch (IOException e) {
            tooLarge = Long.MAX_VALUE; // until it is emptied: trying again with each result would help nobody
            log.warn("the journal of results {} cannot be rewritten and keeps growing: {}", path, e.toString());
        }
    }

    private void rewrite(Collection<Ending> waiting) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        FileChannel smaller = open(fresh);
        try {
            for (Ending ending : waiting) {
                writeAll(smaller, line(ending));
            }
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            smaller.close();
            throw e;
        }
        file.close();
        file = smaller;
        bytes = smaller.size();
        tooLarge = Math.max(roomy, 2 * bytes);
    }

    private void clear() throws IOException {
        if (file.size() > 0) {
            file.truncate(0);
        }
        bytes = 0;
        tooLarge = roomy;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            log.warn("closing the journal of results {}: {}", path, e.toString());
        }
    }

    /** Writes a result piece by piece: there is a line for each command, and one thread for all of them. */
    private static void write(Ending e, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("task", e.taskId());
        json.writeStringField("launch", e.task().launchText());
        json.writeNumberField("job", e.task().jobId());
        json.writeNumberField("version", e.task().version());
        json.writeNumberField("stripe", e.task().stripe());
        json.writeStringField("outcome", e.outcome().name());
        json.writeStringField("reason", e.reason());
        json.writeStringField(
                "endedAt", e.endedAt() == null ? null : e.endedAt().toString());
        write("durationMillis", e.durationMillis(), json);
        write("exitCode", e.exitCode(), json);
        write("exitSignal", e.exitSignal(), json);
        write("outputBytes", e.outputBytes(), json);
        if (e.note() != null) {
            json.writeStringField("note", e.note());
        }
        if (e.followUp() != null) {
            json.writeFieldName("followUp");
            write(e.followUp(), json);
        }
        json.writeEndObject();
    }

    private static void write(FollowUp followUp, JsonGenerator json) throws IOException {
        json.writeStartObject();
        if (followUp.retry() != null) {
            json.writeFieldName("retry");
            json.writeRawValue(followUp.retry().json());
        }
        json.writeBooleanField("wakes", followUp.wakes());
        json.writeBooleanField("grouped", followUp.grouped());
        json.writeBooleanField("stops", followUp.stops());
        json.writeEndObject();
    }

    private static @Nullable FollowUp followUp(JsonNode read) {
        return read.isObject()
                ? new FollowUp(
                        read.path("retry") instanceof ObjectNode retry ? Retry.read(retry) : null,
                        read.path("wakes").booleanValue(),
                        read.path("grouped").booleanValue(),
                        read.path("stops").booleanValue())
                : null;
    }

    private static void write(String name, @Nullable Number value, JsonGenerator json) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value.longValue());
        }
    }

    private @Nullable Ending parse(String line, int number) {
        try {
            JsonNode e = JSON.readTree(line);
            return new Ending(
                    new TaskRef(
                            e.required("task").longValue(),
                            e.required("job").longValue(),
                            e.required("version").intValue(),
                            e.required("stripe").intValue(),
                            new LaunchId(
                                    Objects.requireNonNull(e.required("launch").textValue()))),
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
                    e.path("outputBytes").isNumber() ? e.path("outputBytes").longValue() : null,
                    null,
                    followUp(e.path("followUp")),
                    e.path("note").textValue());
        } catch (JsonProcessingException | RuntimeException e) {
            log.warn(
                    "line {} of the journal of results {} is not readable and is left out; the process that wrote it"
                            + " was cut short, or the file was spoilt. It reads: {}",
                    number,
                    path,
                    line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…");
            return null;
        }
    }
}
