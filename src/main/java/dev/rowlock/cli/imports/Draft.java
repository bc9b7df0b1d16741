package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.definition.NearestDefinition;
import dev.rowlock.definition.NearestDefinition.Adjustment;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.ScheduleProblem;
import dev.rowlock.schedule.Zones;
import dev.rowlock.schedule.preview.PreviewRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Job that is being made of an entry, with what has to be said about it. */
public final class Draft {

    private final List<String> comments = new ArrayList<>();
    private final List<String> lacks = new ArrayList<>();
    private final Set<String> shared = new HashSet<>();
    private int first;
    private ObjectNode job = Trees.object();
    private @Nullable String lost;
    private @Nullable String unknown;
    private @Nullable String whole;

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

    /**
     * Says that it is part of something that is one job here, of several schedules, as far as the parts have no other
     * difference.
     *
     * @param of the name that all its parts have in common
     */
    public void isPart(String of) {
        whole = of;
    }

    /** Returns what it is a part of; null: it stands for itself. */
    @Nullable
    String whole() {
        return whole;
    }

    /** Takes the schedule of another part as a line of its own; returns whether they make one job. */
    boolean takeIn(Draft other) {
        boolean isAlike = lost == null
                && other.lost == null
                && Objects.equals(unknown, other.unknown)
                && lacks.equals(other.lacks)
                && !job.has("maxRuns") // which each part would count for itself
                && rest(job).equals(rest(other.job));
        ObjectNode both = isAlike ? withLine(other.job) : null;
        if (both == null || !isSchedule(both)) {
            return false;
        }
        job.setAll(both);
        comments.addAll(first, other.comments.subList(0, other.first));
        first += other.first;
        other.comments.subList(other.first, other.comments.size()).forEach(this::remark);
        shared.addAll(other.shared);
        return true;
    }

    private static ObjectNode rest(ObjectNode job) {
        return job.deepCopy().without(List.of("name", "schedule", "zone"));
    }

    /** Returns its schedule and zone with a line more, which names its zone if that is another one. */
    private ObjectNode withLine(ObjectNode other) {
        ObjectNode both = Trees.object();
        ArrayNode lines = both.putArray("schedule");
        if (job.path("schedule") instanceof ArrayNode list) {
            lines.addAll(list);
        } else {
            lines.add(job.path("schedule"));
        }
        JsonNode zone = job.hasNonNull("zone") ? job.get("zone") : other.path("zone");
        if (zone.isTextual()) {
            both.set("zone", zone);
        }
        if (other.hasNonNull("zone") && !other.get("zone").equals(zone)) {
            lines.addObject().set("schedule", other.path("schedule"));
            ((ObjectNode) lines.get(lines.size() - 1)).set("zone", other.get("zone"));
        } else {
            lines.add(other.path("schedule"));
        }
        return both;
    }

    private static boolean isSchedule(ObjectNode said) {
        try {
            PreviewRequest.parse(said);
            return true;
        } catch (InvalidDefinition e) {
            return false; // too many lines, or the same one twice
        }
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
