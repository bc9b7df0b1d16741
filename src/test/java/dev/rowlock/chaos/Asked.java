package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What operators have asked for besides runs, and what they saw while they did: the checks hold history against it.
 * Times are on the scale of {@code /proc/uptime}. Thread-safe.
 */
final class Asked {

    final List<Rerun> reruns = new CopyOnWriteArrayList<>();
    final List<Kill> kills = new CopyOnWriteArrayList<>();
    final List<Waiting> waiting = new CopyOnWriteArrayList<>();
    final List<PauseOfMany> pauses = new CopyOnWriteArrayList<>();
    final List<Stop> stops = new CopyOnWriteArrayList<>();
    final List<DrawnFreeze> freezes = new CopyOnWriteArrayList<>();
    final List<Backfill> backfills = new CopyOnWriteArrayList<>();
    final List<Cancel> cancels = new CopyOnWriteArrayList<>();

    /**
     * A request to run again what ended like this.
     *
     * @param limit how many runs it may make
     * @param made the task that the answer names, by the task that it repeats
     * @param leftOut why a task is not run again, by that task
     */
    record Rerun(
            String job,
            Set<String> outcomes,
            int limit,
            long from,
            long until,
            Map<Long, Long> made,
            Map<Long, String> leftOut) {}

    /**
     * A request to kill.
     *
     * @param job whatever it executes; empty: it is about one task
     * @param ended whether the answer says that the task had not started, and has ended
     */
    record Kill(String job, long task, long at, boolean ended) {

        boolean isAbout(Ledger.Ended row) {
            return job.isEmpty() ? task == row.id() : job.equals(row.key());
        }
    }

    /**
     * A task that was seen to wait for something, before its job was deleted or while its group was stopped.
     *
     * @param occurrence whether it was the first attempt at what the schedule asked for: one row may come to stand for
     *     several of these
     */
    record Waiting(long task, String job, boolean occurrence, long at) {

        /** As a list of tasks shows it. */
        static Waiting of(JsonNode task, long at) {
            return new Waiting(
                    task.path("id").longValue(),
                    task.path("namespace").asText() + "/" + task.path("job").asText(),
                    task.path("origin").asText().isEmpty()
                            && task.path("attempt").asInt() == 1,
                    at);
        }
    }

    /**
     * A request to run fire times of the past.
     *
     * @param id as it was answered; 0: none was made, or there was no answer
     * @param toRun how many of them run, by the answer
     * @param status of the last answer; 0: there was none
     */
    record Backfill(
            String job,
            long id,
            Instant from,
            Instant until,
            boolean all,
            int toRun,
            long asked,
            long answered,
            int status) {}

    /** A request to cancel a backfill. */
    record Cancel(long backfill, long asked, long answered) {}

    /** A pause of many jobs until the same moment, which was answered before that. */
    record PauseOfMany(Instant until, long from, long answered) {}

    /**
     * A group with a limit of 0.
     *
     * @param from from then on, for certain
     * @param until when it was to get another limit
     * @param opened by when it had that for certain
     * @param waiting tasks that were seen to wait for it shortly before
     * @param most how many were seen to wait for it at a time
     */
    record Stop(String group, long from, long until, long opened, List<Waiting> waiting, int most) {}
}
