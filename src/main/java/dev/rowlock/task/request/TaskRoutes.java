package dev.rowlock.task.request;

import static dev.rowlock.access.Reach.NAMED;
import static dev.rowlock.access.Reach.TASK;
import static dev.rowlock.access.Role.OPERATOR;
import static dev.rowlock.access.Role.VIEWER;

import dev.rowlock.access.Permission;
import dev.rowlock.access.Shares;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.Times;
import dev.rowlock.http.Answers;
import dev.rowlock.http.ApiProblem;
import dev.rowlock.http.Callers;
import dev.rowlock.http.Endpoints;
import dev.rowlock.http.Json;
import dev.rowlock.http.MeantTimes;
import dev.rowlock.http.Parameters;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.http.RequestMemory.MemoryShare;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.preview.Previews;
import dev.rowlock.task.Cause;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.TaskPage;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.request.TaskOutputs.FollowSink;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of {@code /tasks}. */
public final class TaskRoutes {

    /** Content type of output: nobody can tell the charset of a command, and most write UTF-8. */
    private static final String TEXT = "text/plain;charset=utf-8";

    private static final Set<String> FILTERS = Set.of(
            "job",
            "namespace",
            "state",
            "outcome",
            "cause",
            "node",
            "label",
            "minDuration",
            "since",
            "until",
            "zone",
            "expanded",
            "withdrawn",
            "limit",
            "cursor");
    private static final List<String> CAUSES =
            Arrays.stream(Cause.values()).map(Enum::name).toList();
    private static final List<String> STATES = List.of("IDLE", "PREPARED", "EXECUTING", "ENDED");
    private static final List<String> OUTCOMES =
            Arrays.stream(Outcome.values()).map(Enum::name).toList();

    /** Bound on the memory of a task being read: its row, its reason, and its text, twice while written. */
    private static final long LARGEST_TASK = 10 << 10;

    private final Tasks tasks;
    private final TaskOutputs outputs;
    private final Previews previews;
    private final RequestMemory heap;
    private final Shares followers;

    /** @param followers how many may follow output at once; each takes a thread */
    public TaskRoutes(Tasks tasks, TaskOutputs outputs, Previews previews, RequestMemory heap, int followers) {
        this.previews = previews;
        this.heap = heap;
        this.tasks = tasks;
        this.outputs = outputs;
        this.followers = new Shares("followers of output", followers);
    }

    public void register(Endpoints endpoints) {
        endpoints.api(HandlerType.GET, "/tasks", Permission.of(VIEWER, NAMED), FILTERS, this::list);
        endpoints.api(HandlerType.GET, "/tasks/{id}", Permission.of(VIEWER, TASK), Set.of(), this::get);
        endpoints.api(
                HandlerType.GET,
                "/tasks/{id}/output",
                Permission.of(VIEWER, TASK),
                Set.of("follow", "from"),
                this::output);
        endpoints.api(HandlerType.POST, "/tasks/{id}/kill", Permission.of(OPERATOR, TASK), Set.of(), this::kill);
    }

    private Tasks tasks(Context ctx) {
        return tasks.by(Callers.of(ctx));
    }

    /** Answers 202 if the task was asked to end; 200 if it was not executing and has ended. */
    private void kill(Context ctx, Parameters parameters) {
        Json.requireEmpty(ctx);
        TaskView task = tasks(ctx).kill(parameters.taskId());
        Json.answer(ctx, task.isEnded() ? 200 : 202, TaskJson.of(task));
    }

    private void output(Context ctx, Parameters parameters) throws IOException {
        long id = parameters.taskId();
        boolean follow = parameters.flag("follow");
        Long from = position(parameters);
        outputs.requireWithinReach(tasks(ctx).get(id)); // of other namespaces, there is none
        ctx.contentType(TEXT);
        if (follow && !ctx.method().equals(HandlerType.HEAD)) {
            follow(ctx, id, from);
        } else if (from == null) {
            outputs.read(id, 0, new MarkedOutput(ctx));
        } else {
            outputs.read(id, from, new UnbrokenOutput(ctx, from));
        }
    }

    /** Returns the position to read from; null: the first byte, with marks where something was cut. */
    private static @Nullable Long position(Parameters parameters) {
        String text = parameters.text("from");
        if (text != null && !text.matches("[0-9]{1,15}")) {
            throw ApiProblem.of(400, "from", "must be a number of bytes, at most 15 digits, not '" + text + "'");
        }
        return text == null ? null : Long.valueOf(text);
    }

    @SuppressWarnings("try") // the share is held, not used
    private void follow(Context ctx, long id, @Nullable Long from) throws IOException {
        try (Shares.Share share = followers.take(Shares.of(Callers.of(ctx)))) {
            if (from == null) {
                ctx.res().flushBuffer();
                outputs.follow(id, 0, new MarkedOutput(ctx));
            } else {
                outputs.follow(id, from, new UnbrokenOutput(ctx, from));
            }
        }
    }

    /** Whole output, with marks where something was cut. */
    private record MarkedOutput(Context ctx) implements FollowSink {

        @Override
        public String who() {
            return Callers.of(ctx).name();
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            Answers.moreWhileIn(ctx, bytes);
        }
    }

    private void get(Context ctx, Parameters parameters) {
        Json.answer(ctx, 200, TaskJson.of(tasks(ctx).get(parameters.taskId())));
    }

    private void list(Context ctx, Parameters parameters) throws IOException {
        TaskFilter filter = filter(ctx, parameters);
        try (MemoryShare part = heap.take(Callers.of(ctx).name(), filter.limit() * LARGEST_TASK)) {
            Json.send(ctx, part, page(tasks(ctx), filter));
        }
    }

    private static byte[] page(Tasks tasks, TaskFilter filter) {
        int limit = filter.limit() - 1;
        TaskPage found = tasks.list(filter);
        if (found.tasks().isEmpty()) {
            requireKnownJob(tasks, filter);
        }
        boolean more = found.tasks().size() > limit;
        List<TaskView> page = more ? found.tasks().subList(0, limit) : found.tasks();
        TaskPosition next = more ? page.get(limit - 1).position() : found.reached();
        return Json.page(page, TaskJson::of, next == null ? null : cursor(next), found.total());
    }

    /** Refuses an unknown job: a mistyped name must not pass for a job that never ran. */
    private static void requireKnownJob(Tasks tasks, TaskFilter filter) {
        if (filter.job() == null || filter.namespace() == null) {
            return;
        }
        requireKnown(tasks, new JobKey(filter.namespace(), filter.job()));
    }

    /** Refuses an unknown job: a mistyped name must not pass for a job that nothing happens to. */
    public static void requireKnown(Tasks tasks, JobKey key) {
        if (!tasks.isKnown(key)) {
            String problem = "is " + key + ", and there is no such job, nor history of one; write it as"
                    + " NAMESPACE/NAME, a name alone is one of the namespace default";
            throw ApiProblem.of(404, "job", problem);
        }
    }

    private static void check(Parameters parameters) {
        Parameters.all(
                () -> parameters.word("state", STATES),
                () -> parameters.word("outcome", OUTCOMES),
                () -> parameters.word("cause", CAUSES),
                () -> minDuration(parameters),
                () -> parameters.labels(),
                () -> parameters.text("node"),
                () -> parameters.time("since"),
                () -> parameters.time("until"),
                parameters::zone,
                () -> after(parameters),
                () -> parameters.number("limit", 1, 1000, 100),
                () -> parameters.flag("expanded"),
                () -> parameters.flag("withdrawn"));
    }

    private TaskFilter filter(Context ctx, Parameters parameters) {
        check(parameters);
        JobKey job = job(parameters);
        MeantTimes times = new MeantTimes(ctx, parameters, previews::now, () -> zone(ctx, job));
        String outcome = parameters.word("outcome", OUTCOMES);
        String cause = parameters.word("cause", CAUSES);
        return new TaskFilter(
                job == null ? parameters.text("namespace") : job.namespace(),
                job == null ? null : job.name(),
                parameters.word("state", STATES),
                outcome == null ? null : Outcome.valueOf(outcome),
                parameters.text("node"),
                times.past("since"),
                times.past("until"),
                after(parameters),
                parameters.number("limit", 1, 1000, 100) + 1,
                parameters.flag("expanded"),
                parameters.flag("withdrawn"),
                cause == null ? null : Cause.valueOf(cause),
                minDuration(parameters),
                parameters.labels());
    }

    /** Returns the zone of a job; UTC if the caller may not see the job. */
    private ZoneId zone(Context ctx, @Nullable JobKey job) {
        return job != null && Callers.of(ctx).reaches(job.namespace()) ? previews.zone(job) : Parameters.UTC;
    }

    private static @Nullable Duration minDuration(Parameters parameters) {
        String text = parameters.text("minDuration");
        if (text == null) {
            return null;
        }
        return Durations.parse(text)
                .orElseThrow(() -> ApiProblem.of(
                        400, "minDuration", "must be a duration like 90s, 5m, 1h30m or 500ms, not '" + text + "'"));
    }

    /** Returns the job that the query is about; null: any. */
    public static @Nullable JobKey job(Parameters parameters) {
        String namespace = parameters.text("namespace");
        String job = parameters.text("job");
        if (job == null) {
            return null;
        }
        int slash = job.indexOf('/');
        if (slash >= 0) {
            String inJob = job.substring(0, slash);
            if (namespace != null && !namespace.equals(inJob)) {
                throw ApiProblem.of(400, "namespace", "is '" + inJob + "' in the parameter job; leave one of them out");
            }
            namespace = inJob;
            job = job.substring(slash + 1);
        }
        if (Names.jobProblem(job) != null) {
            throw ApiProblem.of(400, "job", "must be NAME or NAMESPACE/NAME; a name " + Names.jobProblem(job));
        }
        return new JobKey(namespace == null ? "default" : namespace, job);
    }

    private static @Nullable TaskPosition after(Parameters parameters) {
        String[] parts = parameters.cursor("tasks", 2);
        if (parts == null) {
            return null;
        }
        Instant fireTime = Parameters.instantOf(parts[0]);
        if (fireTime == null || !parts[1].matches("[0-9]{1,18}")) {
            throw Parameters.brokenCursor();
        }
        return new TaskPosition(fireTime, Long.parseLong(parts[1]));
    }

    private static String cursor(TaskPosition last) {
        return Parameters.cursorOf("tasks", Times.text(last.fireTime()), Long.toString(last.id()));
    }
}
