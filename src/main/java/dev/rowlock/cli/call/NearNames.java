package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Client;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Suggestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of existing jobs near one that does not exist. */
final class NearNames {

    private static final int NOT_FOUND = 404;
    private static final Pattern JOB = Pattern.compile("/api/v1/jobs/([^/?]+)/([^/?]+).*");
    /** Number of compared names: of larger clusters, only the first are. */
    private static final int COMPARED = 1000;

    private static final int SHOWN = 3;

    private NearNames() {}

    /** Returns what a node has said, with the names that are near if it knows no such job. */
    static List<String> added(Client client, RequestRefused refused) {
        Matcher asked = JOB.matcher(refused.target());
        if (refused.status() != NOT_FOUND || !asked.matches()) {
            return refused.sentences();
        }
        JobKey wrong = new JobKey(asked.group(1), asked.group(2));
        List<String> sentences = new ArrayList<>(refused.sentences());
        List<JobKey> near = sentences.get(0).startsWith("there is no job " + wrong) ? near(client, wrong) : List.of();
        if (!near.isEmpty()) {
            sentences.set(
                    0,
                    sentences.get(0) + "; did you mean "
                            + near.stream().map(JobKey::toString).collect(Collectors.joining(" or ")) + "?");
        }
        return sentences;
    }

    private static List<JobKey> near(Client client, JobKey wrong) {
        List<JobKey> known = new ArrayList<>();
        try (Reply reply = client.send(Ask.get("/jobs").with("limit", COMPARED))) {
            for (JsonNode job : reply.json().path("items")) {
                known.add(new JobKey(
                        job.path("namespace").asText(), job.path("name").asText()));
            }
        } catch (RequestRefused | Unreachable e) {
            return List.of(); // what was asked for is answered
        }
        return known.stream()
                .filter(job -> distance(job, wrong) <= Math.min(2, wrong.name().length() / 2))
                .sorted(Comparator.comparingInt(job -> distance(job, wrong)))
                .limit(SHOWN)
                .toList();
    }

    /** Returns the distance; 0 if only the namespace differs, as that is easily forgotten. */
    private static int distance(JobKey job, JobKey wrong) {
        return job.name().equals(wrong.name()) ? 0 : Suggestion.distance(job.toString(), wrong.toString());
    }
}
