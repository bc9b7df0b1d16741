package dev.rowlock.node;

import dev.rowlock.exec.StopCause;
import dev.rowlock.report.explain.Explanation;
import dev.rowlock.task.LaunchId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a job, second by second, and what is asked of it in the end. It is written down before it is played,
 * so that many are played on one stage, each about a job of its own.
 */
final class ExplainScript {

    private String job;
    private final Map<Integer, List<Consumer<ExplainStage>>> steps = new HashMap<>();
    private final List<Sleep> sleeps = new ArrayList<>();
    private int now;
    /** The newest that somebody asked for. */
    private long task;

    private @Nullable Explanation said;

    ExplainScript(String job) {
        this.job = job;
    }

    /** From the one second until the other, nobody is at work. */
    private record Sleep(int from, int until) {}

    String job() {
        return job;
    }

    /** In which something happens, or a sleep begins or ends. */
    Set<Integer> seconds() {
        Set<Integer> seconds = new HashSet<>(steps.keySet());
        sleeps.forEach(sleep -> seconds.addAll(List.of(sleep.from, sleep.until)));
        return seconds;
    }

    boolean isAsleep(int second) {
        return sleeps.stream().anyMatch(sleep -> sleep.from <= second && second < sleep.until);
    }

    /** By the name that a jitter follows from. */
    ExplainScript named(String name) {
        job = name;
        return this;
    }

    void play(int second, ExplainStage stage) {
        steps.getOrDefault(second, List.of()).forEach(step -> step.accept(stage));
    }

    Explanation said() {
        if (said == null) {
            throw new IllegalStateException(job + " has not been asked about");
        }
        return said;
    }

    ExplainScript then(Consumer<ExplainStage> step) {
        steps.computeIfAbsent(now, second -> new ArrayList<>()).add(step);
        return this;
    }

    /** What happens to the nodes: once, however many scripts say so. */
    ExplainScript once(String what, Consumer<ExplainStage> step) {
        int second = now;
        return then(stage -> stage.once(what + " at " + second, () -> step.accept(stage)));
    }

    /** So many seconds go by, the nodes at work. */
    ExplainScript pass(int seconds) {
        now += seconds;
        return this;
    }

    ExplainScript sleep(int seconds) {
        sleeps.add(new Sleep(now, now + seconds));
        return pass(seconds);
    }

    ExplainScript put(String fields) {
        return then(stage -> stage.put(job, fields));
    }

    /** Another job, which is only there to be in the way. */
    ExplainScript putOther(String fields) {
        return then(stage -> stage.put(other(), fields));
    }

    private String other() {
        return job + "-other";
    }

    ExplainScript run() {
        return then(stage -> task = stage.run(job));
    }

    ExplainScript runOther() {
        return then(stage -> stage.run(other()));
    }

    ExplainScript kill() {
        return then(stage -> stage.kill(task));
    }

    ExplainScript pause(String json) {
        return then(stage -> stage.pause(job, json));
    }

    ExplainScript resume() {
        return then(stage -> stage.cluster.resume(job));
    }

    ExplainScript delete() {
        return then(stage -> stage.cluster.delete(job));
    }

    ExplainScript group(String name, int limit) {
        return then(stage -> stage.group(name, limit));
    }

    /** What executes of the job ends so, and that is recorded. */
    ExplainScript end(int exitCode) {
        return each((processes, launch) -> processes.end(launch, exitCode));
    }

    ExplainScript endOther(int exitCode) {
        return then(stage -> stage.each(other(), (processes, launch) -> processes.end(launch, exitCode)));
    }

    ExplainScript stop(StopCause why) {
        return each((processes, launch) -> processes.stop(launch, why));
    }

    ExplainScript each(BiConsumer<FakeProcesses, LaunchId> end) {
        return then(stage -> stage.each(job, end));
    }

    ExplainScript join(String node, Map<String, String> labels) {
        return once("join " + node, stage -> stage.join(node, labels));
    }

    ExplainScript crash(String node) {
        return once("crash " + node, stage -> stage.cluster.crash(node));
    }

    /** The only node dies, nobody is there for so long, and another comes. */
    ExplainScript outage(int seconds) {
        return crash("a").sleep(seconds).join("b", Map.of());
    }

    /** A node dies, and another one finds that out after 35 seconds. */
    ExplainScript lose(String node) {
        return once("lose " + node, stage -> stage.lose(node))
                .pass(35)
                .once("expire " + node, stage -> stage.expire(node))
                .pass(1);
    }

    private void ask(Function<ExplainStage, Explanation> question) {
        then(stage -> {
            said = question.apply(stage);
            stage.over(job);
        });
    }

    void at(String time) {
        Instant instant = ExplainStage.time(time);
        ask(stage -> stage.at(job, instant));
    }

    /** When no time is named. */
    void now() {
        ask(stage -> stage.now(job));
    }

    /** Of the newest task that somebody asked for. */
    void task() {
        ask(stage -> stage.task(task));
    }

    void ended(String outcome) {
        ask(stage -> stage.ended(job, outcome));
    }

    void live() {
        ask(stage -> stage.live(job));
    }
}
