package dev.rowlock.job;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.PATH;
import static dev.rowlock.access.Role.EDITOR;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Permission;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobFilter.JobPosition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSort;
import dev.rowlock.definition.Overrides;
import dev.rowlock.field.Times;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.EntityTags;
import dev.rowlock.http.Json;
import dev.rowlock.http.MeantTimes;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.job.Jobs.JobPage;
import dev.rowlock.job.Jobs.Released;
import dev.rowlock.job.Jobs.SavedJob;
import dev.rowlock.schedule.preview.Previews;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.request.TaskJson;
import dev.rowlock.task.request.Tasks;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /jobs}. */
public record JobRoutes(Jobs jobs, Tasks tasks, Previews previews, RequestMemory heap, long maxBody) {

    public static final String ONE = "/jobs/{ns}/{name}";
    private static final List<String> JSON = List.of(Json.PLAIN);
    private static final List<String> PATCH = List.of(Json.MERGE_PATCH, Json.PLAIN);
    private static final Set<String> FILTERS =
            Set.of("namespace", "q", "state", "label", "sort", "recent", "limit", "cursor");
    /** Names of what jobs do now, and of how they fare. */
    private static final List<String> STATES =
            List.of("PAUSED", "EXECUTING", "PREPARED", "IDLE", "ENDED", "FAILING", "STUCK", "NEVER_RAN");

    private static final int MOST_RECENT = 50;
    /** Most waiting tasks that are named after a kill. */
    private static final int MOST_NAMED = 5;

    /** Bound on the memory of a job being read: its row, text, parsed form and definition. */
    public static final long LARGEST_JOB = 2 << 20;
    /**
     * Bound on the memory of a page: definitions of a million characters, or one job more, and its text, twice while
     * written.
     */
    private static final long PAGE_OF_JOBS = 12 << 20;

    public void register(Endpoints endpoints) {
        Set<String> none = Set.of();
        endpoints.api(HandlerType.GET, "/jobs", Permission.of(VIEWER, NAMED), FILTERS, this::list);
        endpoints.api(
                HandlerType.POST, "/jobs", Permission.of(EDITOR, NAMED), none, LARGEST_JOB, (ctx, p) -> create(ctx));
        endpoints.api(
                HandlerType.GET,
                ONE,
                Permission.of(VIEWER, PATH),
                none,
                LARGEST_JOB,
                (ctx, p) -> answer(ctx, jobs.get(p.job())));
        endpoints.api(HandlerType.PUT, ONE, Permission.of(EDITOR, PATH), none, LARGEST_JOB, this::put);
        endpoints.api(HandlerType.PATCH, ONE, Permission.of(EDITOR, PATH), none, LARGEST_JOB, this::patch);
        endpoints.api(HandlerType.DELETE, ONE, Permission.of(EDITOR, PATH), none, LARGEST_JOB, this::delete);
        endpoints.api(
                HandlerType.POST,
                ONE + "/reschedule",
                Permission.of(OPERATOR, PATH),
                none,
                LARGEST_JOB,
                this::reschedule);
        endpoints.api(
                HandlerType.POST, ONE + "/release", Permission.of(OPERATOR, PATH), none, LARGEST_JOB, this::release);
        endpoints.api(HandlerType.POST, ONE + "/run", Permission.of(OPERATOR, PATH), none, LARGEST_JOB, this::run);
        endpoints.api(HandlerType.POST, ONE + "/kill", Permission.of(OPERATOR, PATH), none, PAGE_OF_JOBS, this::kill);
        endpoints.api(
                HandlerType.GET,
                ONE + "/next",
                Permission.of(VIEWER, PATH),
                Set.of("count", "from", "zone"),
                LARGEST_JOB,
                this::next);
    }

    private Jobs jobs(Context ctx) {
        return jobs.by(Callers.of(ctx));
    }

    private void list(Context ctx, Parameters parameters) throws IOException {
        Parameters.all(
                () -> parameters.number("limit", 1, 1000, 100),
                () -> JobPlaces.sort(parameters),
                () -> parameters.text("namespace"),
                () -> parameters.text("q"),
                () -> parameters.word("state", STATES),
                () -> parameters.labels(),
                () -> parameters.number("recent", 1, MOST_RECENT, 0));
        int limit = parameters.number("limit", 1, 1000, 100);
        JobSort sort = JobPlaces.sort(parameters);
        Callers.requireNamespace(ctx, parameters);
        JobFilter filter = new JobFilter(
                        parameters.text("namespace"),
                        parameters.text("q"),
                        parameters.word("state", STATES),
                        parameters.labels(),
                        sort,
                        sort == JobSort.NAME ? JobPlaces.key(parameters) : null,
                        sort == JobSort.NAME ? null : JobPlaces.place(parameters, sort),
                        limit)
                .withRecent(parameters.number("recent", 1, MOST_RECENT, 0));
        try (MemoryShare part = heap.take(Callers.of(ctx).name(), Math.min(limit * LARGEST_JOB, PAGE_OF_JOBS))) {
            Json.send(ctx, part, page(jobs(ctx), filter));
        }
    }

    private static byte[] page(Jobs jobs, JobFilter filter) {
        JobPage page = jobs.list(filter);
        String cursor = page.more() ? JobPlaces.cursor(page, filter.sort()) : null;
        return Json.page(page.jobs(), JobJson::job, cursor, page.total());
    }

    private void create(Context ctx) {
        answer(ctx, jobs(ctx).create(Json.object(ctx, maxBody, JSON)));
    }

    private void put(Context ctx, Parameters parameters) {
        answer(ctx, jobs(ctx).put(parameters.job(), Json.object(ctx, maxBody, JSON), parameters.precondition()));
    }

    private void patch(Context ctx, Parameters parameters) {
        answer(ctx, jobs(ctx).patch(parameters.job(), Json.object(ctx, maxBody, PATCH), parameters.precondition()));
    }

    private void delete(Context ctx, Parameters parameters) {
        jobs(ctx).delete(parameters.job(), parameters.precondition());
        ctx.status(204);
    }

    private void reschedule(Context ctx, Parameters parameters) {
        Json.requireEmpty(ctx);
        answer(ctx, jobs(ctx).reschedule(parameters.job(), parameters.precondition()));
    }

    private void release(Context ctx, Parameters parameters) {
        Json.requireEmpty(ctx);
        Released released = jobs(ctx).release(parameters.job(), parameters.precondition());
        ObjectNode node = JobJson.job(released.view()).put("released", released.tasks());
        List<String> warnings = released.tasks() > 0
                ? List.of()
                : List.of("there was nothing to release: no task of this job was set aside");
        EntityTags.answer(ctx, 200, Json.warned(node, warnings), tag(released.view()));
    }

    private void run(Context ctx, Parameters parameters) {
        Overrides overrides = Overrides.parse(Json.objectOrNothing(ctx, maxBody));
        if (overrides.changesWhatRuns()) {
            Callers.of(ctx).requireRole(EDITOR, "a run with another command or environment");
        }
        Run run = jobs(ctx).run(parameters.job(), overrides, Parameters.idempotencyKey(ctx));
        ctx.header("Location", "/api/v1/tasks/" + run.task());
        Json.answer(ctx, 202, Json.warned(TaskJson.of(tasks.get(run.task())), run.warnings()));
    }

    private void kill(Context ctx, Parameters parameters) {
        Json.requireEmpty(ctx);
        Tasks asked = tasks.by(Callers.of(ctx));
        List<TaskView> killed = asked.killAll(parameters.job());
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode items = node.putArray("items");
        killed.forEach(task -> items.add(TaskJson.of(task)));
        node.put("count", killed.size());
        Json.answer(ctx, 202, Json.warned(node, left(killed.isEmpty(), asked.waiting(parameters.job()))));
    }

    /** Says what a kill did not end: whoever kills a job seldom wants its next attempt. */
    private static List<String> left(boolean isNothingKilled, List<TaskView> waiting) {
        List<String> warnings = new ArrayList<>();
        if (isNothingKilled) {
            warnings.add("nothing of this job is executing, so nothing was killed; what waits stays");
        }
        waiting.stream()
                .limit(MOST_NAMED)
                .map(task -> "task " + task.id() + " (" + task.cause() + " for " + task.fireTime() + ") waits and is"
                        + " not killed; POST /api/v1/tasks/" + task.id() + "/kill ends it")
                .forEach(warnings::add);
        if (waiting.size() > MOST_NAMED) {
            warnings.add(waiting.size() - MOST_NAMED + " more tasks of this job wait and are not killed");
        }
        return warnings;
    }

    private void next(Context ctx, Parameters parameters) {
        Parameters.all(() -> parameters.number("count", 1, 1000, 10), () -> parameters.time("from"), parameters::zone);
        int count = parameters.number("count", 1, 1000, 10);
        JobKey key = parameters.job();
        MeantTimes times = new MeantTimes(ctx, parameters, previews::now, () -> previews.zone(key));
        Json.answer(ctx, 200, Json.tree(previews.next(key, times.future("from"), count)));
    }

    public static void answer(Context ctx, SavedJob saved) {
        if (saved.created()) {
            ctx.header("Location", "/api/v1/jobs/" + saved.view().job().key());
        }
        EntityTags.answer(
                ctx,
                saved.created() ? 201 : 200,
                Json.warned(JobJson.job(saved.view()), saved.warnings()),
                tag(saved.view()));
    }

    public static void answer(Context ctx, JobView view) {
        EntityTags.answer(ctx, 200, JobJson.job(view), tag(view));
    }

    private static String tag(JobView view) {
        return String.valueOf(view.job().version());
    }

    /** Cursors of lists of jobs: their order, and where the next page begins. */
    private static final class JobPlaces {

        private JobPlaces() {}

        static JobSort sort(Parameters parameters) {
            String word = parameters.word("sort", JobSort.WORDS);
            return word == null ? JobSort.NAME : JobSort.valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** Returns the place in order of names; null: the first page. */
        static @Nullable JobKey key(Parameters parameters) {
            String[] parts = parameters.cursor("jobs", 2);
            return parts == null ? null : new JobKey(parts[0], parts[1]);
        }

        /** Returns the place in any other order; null: the first page. */
        static @Nullable JobPosition place(Parameters parameters, JobSort sort) {
            String[] parts = parameters.cursor("jobs", 4);
            if (parts == null) {
                return null;
            }
            Instant at = Parameters.instantOf(parts[2]);
            boolean timed = parts[2].isEmpty() || at != null;
            if (!parts[0].equals(sort.word())
                    || !parts[1].matches("[0-9]")
                    || !timed
                    || !parts[3].matches("[0-9]{1,18}")) {
                throw Parameters.brokenCursor();
            }
            return new JobPosition(Integer.parseInt(parts[1]), at, Long.parseLong(parts[3]));
        }

        /** Returns the cursor of the next page; null if all jobs of this page have gone. */
        static @Nullable String cursor(JobPage page, JobSort sort) {
            JobPosition last = page.last();
            if (last != null) {
                String at = last.at() == null ? "" : Times.text(last.at());
                return Parameters.cursorOf(
                        "jobs", sort.word(), Integer.toString(last.range()), at, Long.toString(last.row()));
            }
            if (page.jobs().isEmpty()) {
                return null;
            }
            JobKey key = page.jobs().get(page.jobs().size() - 1).job().key();
            return Parameters.cursorOf("jobs", key.namespace(), key.name());
        }
    }
}
