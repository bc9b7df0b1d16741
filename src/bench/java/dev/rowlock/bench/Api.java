package dev.rowlock.bench;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests per second of a real node with many jobs, and how long they take; the clients share its cores. */
final class Api {

    private final Server server;
    private final Report report;
    private final int jobs;
    private final int clients;
    private final int seconds;
    private final int rounds;

    Api(Server server, Options options, Report report) {
        this.server = server;
        this.report = report;
        jobs = options.number("jobs", 100_000);
        clients = options.number("clients", 8);
        seconds = options.number("seconds", 5);
        rounds = options.number("rounds", 3);
    }

    void run() throws Exception {
        report.note(jobs + " jobs, " + clients + " clients over HTTP, " + seconds + " s for each kind of request");
        try (Schema schema = server.schema()) {
            RowlockJobs.insertSpread(schema, jobs, "0 0 0 1 1 ?", Starts.now().plus(Duration.ofHours(2)));
            try (Daemon node = new Daemon(schema, "api", Map.of())) {
                node.awaitReady();
                for (int round = 0; round <= rounds; round++) {
                    for (Map.Entry<String, Latencies.Request> request : requests(node).entrySet()) {
                        Line line = Latencies.measure(seconds, clients, request.getValue());
                        if (round == 0) {
                            report.warmUp(request.getKey(), line);
                        } else {
                            report.add(request.getKey(), line.with("round", round));
                        }
                    }
                }
            }
        }
    }

    private final AtomicInteger created = new AtomicInteger();

    private Map<String, Latencies.Request> requests(Daemon node) {
        Map<String, Latencies.Request> requests = new LinkedHashMap<>();
        requests.put("get a job", n -> get(node, "/jobs/default/job-" + (1 + (int) (n * 7919L % jobs))));
        requests.put("list 100 jobs", n -> get(node, "/jobs?limit=100"));
        requests.put("list jobs by name", n -> get(node, "/jobs?limit=20&q=job-" + (1 + (int) (n * 7919L % jobs))));
        requests.put("next fire times", n -> get(node, "/jobs/default/job-1/next?count=10"));
        requests.put("list tasks", n -> get(node, "/tasks?limit=100"));
        requests.put(
                "create a job",
                n -> node.ok(node.request("/api/v1/jobs")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"name\": \"new-" + created.incrementAndGet()
                                + "\", \"schedule\": \"30 2 * * *\", \"command\": \"true\"}"))
                        .build()));
        return requests;
    }

    private static void get(Daemon node, String path) throws Exception {
        node.ok(node.request("/api/v1" + path).GET().build());
    }
}
