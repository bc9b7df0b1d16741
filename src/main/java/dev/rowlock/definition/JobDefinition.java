package dev.rowlock.definition;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.SecretReference.ReferenceKind;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.FinishBy;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Definition of a job as a person wrote it, with defaults filled in; {@link JobFields} describes each field. */
public record JobDefinition(
        String namespace,
        String name,
        String description,
        Map<String, String> labels,
        ScheduleLines schedule,
        String zone,
        DaylightSaving daylightSaving,
        @Nullable JobCalendars calendar,
        OnClosed onClosed,
        Command command,
        @Nullable String workdir,
        Map<String, String> env,
        Map<String, String> secretEnv,
        @Nullable String user,
        @Nullable Duration timeout,
        Duration killGrace,
        @Nullable Retry retry,
        Overlap overlap,
        @Nullable Integer overlapLimit,
        Misfire misfire,
        @Nullable Duration misfireThreshold,
        @Nullable Integer catchUpLimit,
        @Nullable Duration startDeadline,
        OnLost onLost,
        int priority,
        @Nullable String group,
        String nodes,
        @Nullable Integer maxPerNode,
        boolean broadcast,
        @Nullable Integer broadcastParallel,
        boolean stopOnFailure,
        @Nullable Instant startAt,
        @Nullable Instant endAt,
        @Nullable Integer maxRuns,
        @Nullable Duration jitter,
        Set<Integer> successExitCodes,
        @Nullable Set<Integer> skipExitCodes,
        @Nullable FinishBy finishBy,
        @Nullable String umask,
        @Nullable Integer nice,
        @Nullable Limits limits,
        CommandShell shell,
        @Nullable String stdin,
        boolean metrics,
        @Nullable Ping ping,
        boolean paused) {

    /** Reads the acceptable fields of an object, with defaults for the rest; collects problems with the others. */
    static JobDefinition read(ObjectNode node, Place whole) {
        JobDefinition read = JobFields.TABLE.read(node, whole);
        JobFields.checkSchedule(
                read.schedule, read.zone, read.daylightSaving, read.startAt, read.calendarRule(), whole);
        return read;
    }

    public JobKey key() {
        return new JobKey(namespace, name);
    }

    /** Returns the source of each of its secret variables. */
    public Map<String, SecretReference> secrets() {
        Map<String, SecretReference> references = new TreeMap<>();
        secretEnv.forEach((name, text) -> references.put(name, SecretReference.parse(text)));
        return references;
    }

    /** Returns the stored secrets of its namespace that it names. */
    public Set<String> storedSecrets() {
        return secrets().values().stream()
                .filter(reference -> reference.kind() == ReferenceKind.STORED)
                .map(SecretReference::what)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether a run that exits with this code declined: it had nothing to do, and is as good as skipped. */
    public boolean declinesWith(int exitCode) {
        return skipExitCodes != null && skipExitCodes.contains(exitCode);
    }

    /** Returns the rule by which calendars change its fire times; null: it names none. */
    public @Nullable CalendarRule calendarRule() {
        return calendar == null ? null : calendar.rule(onClosed);
    }

    JobDefinition withCalendar(JobCalendars other) {
        return JobFields.TABLE.with(this, "calendar", other);
    }

    public JobDefinition withPaused(boolean other) {
        return JobFields.TABLE.with(this, "paused", other);
    }
}
