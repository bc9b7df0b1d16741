package dev.rowlock.support;

import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Builder of tasks for rules that need no database: the first attempt at an occurrence, idle, of job 1. */
public final class TaskBuilder {

    private final long id;
    private final Instant fireTime;
    private long job = 1;
    private int version = 1;
    private @Nullable LaunchId launch;
    private @Nullable Instant next;
    private String origin = "";
    private int attempt = 1;
    private Cause cause = Cause.SCHEDULE;
    private TaskState state = TaskState.IDLE;
    private boolean started;
    private @Nullable Instant due;
    private @Nullable Hold hold;
    private boolean queued;
    private @Nullable String session;
    private boolean replaced;
    private int selector;
    private boolean cursor;

    private TaskBuilder(long id, Instant fireTime) {
        this.id = id;
        this.fireTime = fireTime;
        this.due = fireTime;
    }

    public static TaskBuilder task(long id, Instant fireTime) {
        return new TaskBuilder(id, fireTime);
    }

    public TaskBuilder job(long of) {
        job = of;
        return this;
    }

    public TaskBuilder version(int of) {
        version = of;
        return this;
    }

    public TaskBuilder launch(@Nullable LaunchId under) {
        launch = under;
        return this;
    }

    public TaskBuilder next(@Nullable Instant fire) {
        next = fire;
        return this;
    }

    public TaskBuilder origin(String text) {
        origin = text;
        return this;
    }

    public TaskBuilder attempt(int number) {
        attempt = number;
        return this;
    }

    public TaskBuilder cause(Cause why) {
        cause = why;
        return this;
    }

    public TaskBuilder state(TaskState is) {
        state = is;
        return started(is == TaskState.EXECUTING);
    }

    public TaskBuilder started(boolean has) {
        started = has;
        return this;
    }

    public TaskBuilder hold(@Nullable Hold by) {
        hold = by;
        return this;
    }

    public TaskBuilder queued(boolean has) {
        queued = has;
        return this;
    }

    public TaskBuilder session(@Nullable String of) {
        session = of;
        return this;
    }

    public TaskBuilder replaced(boolean is) {
        replaced = is;
        return this;
    }

    public TaskBuilder selector(int of) {
        selector = of;
        return this;
    }

    public TaskBuilder cursor(boolean is) {
        cursor = is;
        return this;
    }

    public Task build() {
        return new Task(
                new TaskRef(id, job, version, (int) (job % 64), launch),
                fireTime,
                next,
                Origin.of(origin),
                attempt,
                cause,
                state,
                started,
                due,
                hold,
                queued,
                session,
                Duration.ZERO,
                0,
                selector,
                0,
                replaced,
                cursor);
    }
}
