package dev.rowlock.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Client of one node. */
public final class Client {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final Target target;
    private final Duration patience;
    private final Consumer<String> log;

    /**
     * @param patience how long an answer may take to begin, or to go on
     * @param log is told of every request, without bodies and tokens
     */
    public Client(Target target, Duration patience, Consumer<String> log) {
        this.target = target;
        this.patience = patience;
        this.log = log;
    }

    public Target target() {
        return target;
    }

    /**
     * Returns the answer, if it is no error.
     *
     * @throws RequestRefused it is
     * @throws Unreachable nothing is
     */
    public Reply send(Ask ask) {
        Reply reply = exchange(ask, patience);
        if (reply.status() >= 300) {
            try (reply) {
                throw refused(ask, reply);
            }
        }
        return reply;
    }

    /** Returns the answer, whatever it is. */
    public Reply exchange(Ask ask) {
        return exchange(ask, patience);
    }

    private Reply exchange(Ask ask, Duration wait) {
        try {
            // HttpURLConnection takes a quarter of the CPU of HttpClient, and cannot say PATCH.
            Reply reply = ask.method().equals("PATCH")
                    ? Patch.exchange(target, ask, CONNECT, wait)
                    : Exchange.of(target, ask, CONNECT, wait);
            log.accept(ask + ": " + reply.status());
            return reply;
        } catch (IOException e) {
            log.accept(ask + ": " + e);
            throw new Unreachable(why(e), e);
        }
    }

    private String why(IOException e) {
        if (e instanceof UnknownHostException) {
            return "the host of " + target + " is not known";
        }
        if (e instanceof ConnectException) {
            return "no node answers at " + target + ": " + e.getMessage();
        }
        if (e instanceof SocketTimeoutException) {
            return target + " did not answer within " + patience.toSeconds() + " s";
        }
        if (e instanceof SSLException) {
            return "there is no safe connection to " + target + ": " + e.getMessage();
        }
        return "the connection to " + target + " broke: " + e.getMessage();
    }

    private RequestRefused refused(Ask ask, Reply reply) {
        String type = reply.header("Content-Type");
        if (type == null || !type.contains("json")) {
            return new RequestRefused(
                    ask.target(),
                    reply.status(),
                    List.of("HTTP " + reply.status() + " from " + target + ", which does not seem to be Rowlock"),
                    MissingNode.getInstance());
        }
        JsonNode problem = named(reply.json());
        return new RequestRefused(ask.target(), reply.status(), sentences(reply.status(), problem), problem);
    }

    /** Puts commands in place of the calls that a problem names. */
    private static JsonNode named(JsonNode problem) {
        if (problem instanceof ObjectNode whole) {
            rename(whole, "detail");
            whole.path("errors").forEach(error -> {
                if (error instanceof ObjectNode field) {
                    rename(field, "message");
                }
            });
        }
        return problem;
    }

    private static void rename(ObjectNode of, String field) {
        if (of.path(field).isTextual()) {
            of.put(field, CommandNames.in(of.path(field).asText()));
        }
    }

    /** Returns what is wrong: in general, unless the fields say it, and with each field. */
    private List<String> sentences(int status, JsonNode problem) {
        String detail = problem.path("detail").asText();
        List<String> sentences = new ArrayList<>();
        sentences.add(detail.isEmpty() ? "HTTP " + status + " from " + target : detail);
        for (JsonNode error : problem.path("errors")) {
            String field = error.path("field").asText();
            String message = error.path("message").asText();
            if (!detail.contains(message)) {
                sentences.add(field.isEmpty() ? message : field + " " + message);
            }
        }
        return sentences;
    }

    static byte @Nullable [] bytes(Ask ask) {
        JsonNode body = ask.body();
        return body == null ? null : Trees.bytes(body);
    }
}
