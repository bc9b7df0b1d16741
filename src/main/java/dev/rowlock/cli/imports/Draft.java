package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job that is being made of an entry, with what has to be said about it. */
public final class Draft {

    private final List<String> comments = new ArrayList<>();
    private final ObjectNode job = Trees.object();
    private @Nullable String lost;
    private @Nullable String unknown;

    /** @param from what the entry is called, for people */
    public Draft(String from) {
        comments.add(from);
    }

    public ObjectNode job() {
        return job;
    }

    /** What means something else here, or is left out. */
    public void remark(String what) {
        comments.add(what);
    }

    /** That there can be no such job; the first reason is told. */
    public void lose(String why) {
        lost = lost == null ? why : lost;
    }

    /** That nobody knows a command for it: it can be shadowed, and not run. */
    public void lackCommand(String why) {
        unknown = why;
    }

    /**
     * Its schedule, if it can be one.
     *
     * @param zone null: none is needed
     */
    public void schedule(String schedule, @Nullable String zone) {
        job.put("schedule", schedule);
        if (zone != null) {
            job.put("zone", zone);
        }
        String problem = problem(schedule, zone == null ? "UTC" : zone);
        if (problem != null) {
            lose(problem);
        }
    }

    /** Why no job can have this schedule; null: one can. */
    public static @Nullable String problem(String schedule, String zone) {
        try {
            Schedule.parse(schedule, ZoneId.of(zone), DaylightSaving.SHIFT, Instant.EPOCH);
            return null;
        } catch (ScheduleProblem e) {
            return String.valueOf(e.getMessage());
        } catch (DateTimeException e) {
            return "\"" + zone + "\" is not a time zone";
        }
    }

    /** @param isShadow whether it is to run nothing, so that it needs no command */
    public Imported done(boolean isShadow) {
        String why = lost == null && !isShadow ? unknown : lost;
        if (why != null) {
            comments.add(Imported.NOT_CARRIED + why);
            return new Imported(comments, null, true);
        }
        if (unknown != null) {
            job.put("command", "# " + unknown);
        }
        return new Imported(comments, job, false);
    }
}
