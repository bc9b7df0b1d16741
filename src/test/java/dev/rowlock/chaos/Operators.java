package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.Overlap;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** People who change, pause, delete, run and look at jobs all the while, over HTTP, on whichever node answers. */
final class Operators implements Runnable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final int NOBODY = 0;

    private final List<Workload.Planned> jobs;
    private final List<ChaosNode> nodes;
    private final Random random;
    private final CountDownLatch stop;
    private final Findings findings;
    private final Answers answers;
    private final Asked asked = new Asked();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final List<Run> runs = new CopyOnWriteArrayList<>();
    private final ReentrantLock acting = new ReentrantLock(true);
    private volatile boolean mayChange = true;
    private int sent;
    private final Random byPolicy;
    private final PolicyRequests requests;
    private final FurtherRequests further;
    private final Arranging arranging;
    private final LaterRequests later;
    private volatile String lastAnswer = "";

    /**
     * A run by hand.
     *
     * @param task what the answer named; 0: there was no answer that did
     * @param node the only one that may run it; null: it is the job's affair
     * @param overlap what holds for it; null: that of the job
     * @param otherCommand whether it is to execute something else
     */
    record Run(
            String job,
            String key,
            long task,
            @Nullable String node,
            @Nullable Overlap overlap,
            boolean otherCommand) {

        Run(String job, String key, long task) {
            this(job, key, task, null, null, false);
        }

        Run answered(long named) {
            return new Run(job, key, named, node, overlap, otherCommand);
        }
    }

    Operators(
            List<Workload.Planned> jobs,
            List<ChaosNode> nodes,
            Options options,
            Conditions conditions,
            CountDownLatch stop,
            Findings findings) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.random = new Random(options.seed() * 17 + 5);
        this.byPolicy = new Random(options.seed() * 19 + 3);
        this.stop = stop;
        this.findings = findings;
        this.answers = new Answers(findings);
        List<String> names = nodes.stream().map(ChaosNode::name).toList();
        this.requests = new PolicyRequests(this, names, options.policies(), byPolicy);
        Random apart = new Random(options.seed() * 23 + 11);
        this.arranging = new Arranging(
                this,
                conditions,
                names,
                options.policies(),
                byPolicy,
                apart,
                new CalendarDraw(new Random(options.seed() * 41 + 19)));
        this.further = new FurtherRequests(this, jobs, options.policies(), apart);
        this.later = new LaterRequests(this, jobs, options.policies(), new Random(options.seed() * 37 + 13));
    }

    /** While nothing is wrong yet. */
    void begin() throws InterruptedException {
        arranging.begin();
        later.begin();
    }

    /** What operators do to nodes and groups. */
    Arranging arranging() {
        return arranging;
    }

    /** Sets everything such that nothing has to wait. False: try again. */
    boolean restore() throws InterruptedException {
        boolean arranged = arranging.restore();
        return later.restore() && arranged;
    }

    List<Answers.Refusal> refusals() {
        return answers.refusals();
    }

    /** What they have asked for besides runs. */
    Asked asked() {
        return asked;
    }

    List<Run> runs() {
        return runs;
    }

    /** A run that somebody else has asked for. */
    void note(Run run) {
        runs.add(run);
    }

    /** Whether anything may be changed at the moment. */
    boolean mayChange() {
        return mayChange;
    }

    /** From now on they only look, until {@link #goOn}. False: what they are about did not come to its end. */
    boolean pause() throws InterruptedException {
        if (!acting.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            return false;
        }
        try {
            mayChange = false;
            return true;
        } finally {
            acting.unlock();
        }
    }

    void goOn() {
        mayChange = true;
    }

    int requests() {
        return sent;
    }

    /** Creates these jobs; while nothing is wrong yet, each must be taken. */
    void createAll(List<Workload.Planned> all) throws InterruptedException {
        for (Workload.Planned job : all) {
            int status = send("PUT", job.path(), job.definition().toString());
            if (status != 201) {
                throw new IllegalStateException(
                        "creating " + job.key() + " was answered " + status + ": " + lastAnswer);
            }
        }
    }

    @Override
    public void run() {
        try {
            while (!stop.await(100 + random.nextInt(700), TimeUnit.MILLISECONDS)) {
                alone(() -> {
                    act(jobs.get(random.nextInt(jobs.size())));
                    actByPolicy();
                });
                alone(() -> {
                    if (mayChange) {
                        further.act();
                    }
                });
                alone(() -> {
                    if (mayChange) {
                        later.act();
                    }
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            findings.add(
                    Findings.Kind.NODE, "the harness itself failed while it played the operators: " + Texts.trace(e));
        }
    }

    /** What somebody does. */
    private interface Deed {
        void carryOut() throws InterruptedException;
    }

    /** Between two of these, all changes can be stopped. */
    private void alone(Deed deed) throws InterruptedException {
        acting.lock();
        try {
            deed.carryOut();
        } finally {
            acting.unlock();
        }
    }

    private void act(Workload.Planned job) throws InterruptedException {
        int what = random.nextInt(12);
        switch (mayChange ? what : Math.max(what, 10)) {
            case 0, 1, 2 -> runByHand(job);
            case 3, 4 -> edit(job);
            case 5 -> send("POST", job.path() + "/pause", "");
            case 6, 7 -> send("POST", job.path() + "/resume", "");
            case 8 -> recreate(job, random);
            case 9 -> killOne();
            case 10 -> send("GET", "/api/v1/tasks?limit=20", "");
            default -> send("GET", random.nextBoolean() ? job.path() : "/api/v1/cluster", "");
        }
    }

    private void actByPolicy() throws InterruptedException {
        if (mayChange) {
            switch (byPolicy.nextInt(4)) {
                case 0, 1 -> requests.act(jobs.get(byPolicy.nextInt(jobs.size())));
                case 2 -> arranging.act();
                default -> {}
            }
        }
    }

    private void runByHand(Workload.Planned job) throws InterruptedException {
        run(job, "", new Run(job.key(), UUID.randomUUID().toString(), 0));
    }

    /** Repeats it under its key until somebody has taken it, as the documentation says one may. */
    void run(Workload.Planned job, String asked, Run run) throws InterruptedException {
        long task = 0;
        for (int tried = 0; tried < 5 && task == 0 && stop.getCount() > 0; tried++) {
            int status = send("POST", job.path() + "/run", asked, "Idempotency-Key", run.key());
            if (status == 202) {
                task = json(lastAnswer).path("id").longValue();
            } else if (tried == 0 && (status == 404 || status == 422)) {
                return;
            }
        }
        runs.add(run.answered(task));
    }

    /** What the last request was answered. */
    JsonNode lastAnswer() {
        return json(lastAnswer);
    }

    /** Whether no more is to be asked for. */
    boolean isOver() {
        return stop.getCount() == 0;
    }

    private static JsonNode json(String answer) {
        try {
            return JSON.readTree(answer);
        } catch (IOException e) {
            throw new IllegalStateException("not JSON: " + answer, e);
        }
    }

    private void edit(Workload.Planned job) throws InterruptedException {
        ObjectNode patch = JSON.createObjectNode();
        switch (random.nextInt(4)) {
            case 0 -> patch.put("schedule", job.command().schedule(random));
            case 1 -> patch.put("description", "edited " + random.nextInt(1000));
            case 2 -> patch.put("command", MarkLog.around(job.command().body(random)));
            default -> patch.set("schedule", job.definition().get("schedule"));
        }
        send("PATCH", job.path(), patch.toString());
    }

    /** Deletes a job, and creates it again a moment later. */
    void recreate(Workload.Planned job, Random own) throws InterruptedException {
        send("DELETE", job.path(), "");
        boolean over = stop.await(own.nextInt(2000), TimeUnit.MILLISECONDS);
        for (int tried = 0; tried < 10 && !over; tried++) {
            int status = send("PUT", job.path(), job.definition().toString());
            if (status == 200 || status == 201) {
                return;
            }
            over = stop.await(500, TimeUnit.MILLISECONDS);
        }
    }

    private void killOne() throws InterruptedException {
        if (send("GET", "/api/v1/tasks?state=EXECUTING&limit=1", "") != 200) {
            return;
        }
        JsonNode items = json(lastAnswer).path("items");
        if (!items.isEmpty()) {
            kill(items.get(0).path("id").longValue());
        }
    }

    /** Stops a task; the status. 200: it had not started, and has ended. */
    int kill(long task) throws InterruptedException {
        long at = Uptime.millis();
        int status = send("POST", "/api/v1/tasks/" + task + "/kill", "");
        asked.kills.add(new Asked.Kill("", task, at, status == 200));
        return status;
    }

    /** Kills whatever a job executes. */
    void killAll(Workload.Planned job) throws InterruptedException {
        asked.kills.add(new Asked.Kill(job.key(), 0, Uptime.millis(), false));
        send("POST", job.path() + "/kill", "");
    }

    /** One request to some node that runs; the status, or 0 if nobody answered. */
    int send(String method, String path, String body, String... headers) throws InterruptedException {
        Optional<NodeProcess> node = nodes.get(random.nextInt(nodes.size())).running();
        if (node.isEmpty()) {
            return NOBODY;
        }
        sent++;
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(node.get().url() + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + node.get().token());
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        request.method(method, HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            lastAnswer = answer.body();
            answers.judge(method + " " + path, answer.statusCode(), lastAnswer);
            return answer.statusCode();
        } catch (IOException e) {
            return NOBODY; // killed, frozen or not listening yet
        }
    }
}
