package dev.rowlock.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with an answer, and remembers whose requests were taken. For use by several threads. */
final class Judge {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_FINDINGS = 40;
    private static final long SLOW_NANOS = 15_000_000_000L;

    /** What only a program knows of itself. */
    private static final Pattern INSIDE = Pattern.compile(
            "\\bat [a-z]+\\.[\\w.]+\\(|Exception\\b|\\b(?:java|javax|com\\.mysql|org\\.jdbi)\\.[a-z]|SQLSTATE");

    /** Refusals of what is not HTTP, or not the HTTP that the server speaks. */
    private static final Set<Integer> OF_THE_PROTOCOL = Set.of(501, 505);

    private final List<String> findings = new ArrayList<>();
    private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private long slowest;
    private long slowestLife;

    void answered(Shot shot, Reply reply) {
        statuses.merge(reply.status(), 1, Integer::sum);
        boolean gone = reply.status() == 404; // another request may have deleted what this one changed
        if (reply.status() >= 200 && (reply.status() < 400 || gone)) {
            taken.add(shot.id());
        }
        @Nullable String wrong = wrong(shot, reply);
        if (wrong != null) {
            find(wrong + "\n" + shot.text() + "  answer: " + reply.status() + " " + reply.headers() + "\n    "
                    + reply.body().substring(0, Math.min(600, reply.body().length())));
        }
        noteTime(reply.nanos());
    }

    /** Nothing came back: right only for who follows the output of a task that has not begun. */
    void silent(Shot shot) {
        if (shot.operation() == null || !shot.operation().path().endsWith("/output")) {
            find("no answer\n" + shot.text());
        }
    }

    /** How long the node took at most to say that it lives. */
    synchronized void lives(long millis) {
        slowestLife = Math.max(slowestLife, millis);
        if (millis > 1_000) {
            find("/livez took " + millis + " ms");
        }
    }

    synchronized long slowestLifeMillis() {
        return slowestLife;
    }

    private synchronized void noteTime(long nanos) {
        slowest = Math.max(slowest, nanos);
    }

    synchronized void find(String finding) {
        if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
        }
    }

    synchronized List<String> findings() {
        return List.copyOf(findings);
    }

    /** How often each status was answered; 0: none was. */
    Map<Integer, Integer> statuses() {
        return new TreeMap<>(statuses);
    }

    synchronized long slowestMillis() {
        return slowest / 1_000_000;
    }

    /** Whether the request with this id was not refused. */
    boolean isTaken(String id) {
        return taken.contains(id);
    }

    private static @Nullable String wrong(Shot shot, Reply reply) {
        int status = reply.status();
        if (status == 0) {
            return shot.operation() == null ? null : "no answer";
        }
        if (status >= 500 && !isPlanned(shot, reply)) {
            return "an error of the server";
        }
        if (status < 400 && shot.isRefused()) {
            return "it should have been refused";
        }
        if (INSIDE.matcher(reply.body()).find() && status >= 400) {
            return "it tells of the program's inside";
        }
        if (reply.headers().containsKey("x-injected")) {
            return "a header was injected";
        }
        if (reply.nanos() > SLOW_NANOS
                && shot.operation() != null
                && !shot.operation().streams()) {
            return "it took " + reply.nanos() / 1_000_000 + " ms";
        }
        return shot.head() ? null : wrongForm(shot, reply);
    }

    private static @Nullable String wrongForm(Shot shot, Reply reply) {
        String type = reply.header("Content-Type").replaceFirst(";.*", "");
        if (type.contains("json")) {
            @Nullable JsonNode body = json(reply.body());
            if (body == null) {
                return "it is not JSON";
            }
            if (type.equals("application/problem+json")
                    && (body.path("status").asInt() != reply.status()
                            || body.path("detail").asText().isEmpty())) {
                return "the problem has another status, or says nothing";
            }
        } else if (reply.status() >= 400 && !reply.body().isEmpty() && !type.equals("text/html")) {
            return "an error that is no problem+json";
        }
        Operation operation = shot.operation();
        boolean reached = reply.headers().containsKey("x-request-id") && shot.sound();
        if (operation != null && reached && !operation.statuses().contains(reply.status())) {
            return "the contract does not know this status";
        }
        return null;
    }

    /** What a server says that is not ready, or that has enough to do. */
    private static boolean isPlanned(Shot shot, Reply reply) {
        boolean later = reply.status() == 503 && reply.headers().containsKey("retry-after");
        Operation operation = shot.operation();
        if (operation == null) {
            return OF_THE_PROTOCOL.contains(reply.status()) || later;
        }
        return later && operation.streams();
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
