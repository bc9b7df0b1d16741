package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.definition.NearestDefinition;
import dev.rowlock.definition.NearestDefinition.Adjustment;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import dev.rowlock.schedule.Zones;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Job that is being made of an entry, with what has to be said about it. */
public final class Draft {

    private final List<String> comments = new ArrayList<>();
    private final List<String> lacks = new ArrayList<>();
    private final Set<String> shared = new HashSet<>();
    private final int first;
    private ObjectNode job = Trees.object();
    private @Nullable String lost;
    private @Nullable String unknown;

    /** @param from what the entry is called, for people */
    public Draft(String from) {
        this(List.of(from));
    }

    /** @param from what people have said about the entry, and what it is called */
    public Draft(List<String> from) {
        comments.addAll(from);
        first = comments.size();
    }

    public ObjectNode job() {
        return job;
    }

    /** Says what means something else here, or is left out; once. */
    public void remark(String what) {
        if (!comments.contains(what)) {
            comments.add(what);
        }
    }

    /** Says what others of the same source may say, too: it is told at the first of them. */
    public void remarkOnce(String what) {
        remark(what);
        shared.add(what);
    }

    /** Says which names of the entry are left out, if any are. */
    public void leaveOut(Collection<String> names) {
        if (!names.isEmpty()) {
            remark("left out, as a job has no such thing: " + String.join(", ", names));
        }
    }

    /** Says that something is left out that the command needs, so that a person has to see to it first. */
    public void lack(String what) {
        remark(what);
        lacks.add(what);
    }

    /** Says that there can be no such job; the first reason is told. */
    public void lose(String why) {
        lost = lost == null ? why : lost;
    }

    /** Says that nobody knows a command for it: it can be shadowed, and not run. */
    public void lackCommand(String why) {
        unknown = why;
    }

    /**
     * Gives it its schedule, if it can be one.
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

    /** Returns why no job can have this schedule; null if one can. */
    public static @Nullable String problem(String schedule, String zone) {
        try {
            Schedule.parse(schedule, Zones.of(zone), DaylightSaving.SHIFT, Instant.EPOCH);
            return null;
        } catch (ScheduleProblem e) {
            return String.valueOf(e.getMessage());
        } catch (DateTimeException e) {
            return Zones.problem(zone);
        }
    }

    /**
     * Returns the job as a node takes it, with all that has to be said.
     *
     * @param isShadow whether it is to run nothing, so that it needs no command
     * @param told what others have told already; what this one tells is added
     */
    Imported done(boolean isShadow, Set<String> told) {
        String why = lost == null && !isShadow ? unknown : lost;
        if (why == null) {
            if (unknown != null) {
                job.put("command", "# " + unknown).put("shell", "sh");
            } else {
                String secrets = CommandRemarks.secrets(job);
                if (secrets != null) {
                    remarkOnce(secrets);
                }
                CommandRemarks.of(job).forEach(this::remark);
            }
            why = fit();
        }
        if (why != null) {
            List<String> reason = new ArrayList<>(comments.subList(0, first));
            reason.add(Imported.NOT_CARRIED + why);
            return new Imported(reason, null, true);
        }
        if (!lacks.isEmpty() && !isShadow) {
            job.put("paused", true);
            remark("paused, as it lacks something: rowlock job resume starts it");
        }
        comments.removeIf(comment -> shared.contains(comment) && !told.add(comment));
        return new Imported(comments, job, false);
    }

    /** Makes it what a node accepts; returns why that cannot be, or null. */
    private @Nullable String fit() {
        NearestDefinition nearest = NearestDefinition.of(job);
        for (Adjustment change : nearest.changes()) {
            FieldProblem problem = change.problem();
            JsonNode value = change.value();
            boolean isNeeded = value == null && problem.field().matches("(?:env|stdin)\\b.*");
            if (isNeeded) {
                lacks.add(problem.field());
            }
            remark(
                    value == null
                            ? "left out: " + problem.field() + ": " + problem.message()
                            : problem.field() + " is " + value.asText() + " in place of "
                                    + change.wanted().asText() + ": it " + problem.message());
        }
        if (!nearest.refused().isEmpty()) {
            FieldProblem problem = nearest.refused().get(0);
            return problem.field() + ": " + problem.message();
        }
        job = nearest.definition();
        return null;
    }
}
