package dev.rowlock.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answer of a node; to be closed. */
public final class Reply implements AutoCloseable {

    private final int status;
    private final Function<String, @Nullable String> headers;
    private final InputStream body;
    private final Target from;

    Reply(int status, Function<String, @Nullable String> headers, InputStream body, Target from) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.from = from;
    }

    public int status() {
        return status;
    }

    public @Nullable String header(String name) {
        return headers.apply(name);
    }

    /** Returns the body as it comes. */
    public InputStream body() {
        return body;
    }

    /**
     * Reads the whole body; missing if there is none.
     *
     * @throws Unreachable it breaks off, or is no JSON
     */
    public JsonNode json() {
        try {
            return Trees.json(body);
        } catch (IOException e) {
            throw new Unreachable("what " + from + " answered cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new Unreachable("the connection to " + from + " cannot be closed: " + e.getMessage(), e);
        }
    }
}
