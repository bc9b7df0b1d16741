package dev.rowlock.job.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.CommandUsers;
import dev.rowlock.job.DefinitionCheck;
import dev.rowlock.job.Edit;
import dev.rowlock.job.FireTimeRemarks;
import dev.rowlock.job.JobWarnings;
import dev.rowlock.job.PlanRequest;
import dev.rowlock.job.PlanRequest.Prune;
import dev.rowlock.job.plan.Plan.Action;
import dev.rowlock.job.plan.Plan.PlannedChange;
import dev.rowlock.job.plan.PlannedJobs.JobPlan;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.secret.store.NamedSecrets;
import dev.rowlock.task.rule.MovedFireTimes;
import dev.rowlock.task.rule.MovedFireTimes.Window;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.store.JobAtVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computation of one plan, without changes. Existing definitions are read a few at a time, and not kept. */
final class Planning {

    private static final int MOST_PROBLEMS = 100;
    /** Most fire times told of one job, both for new and for vanishing ones. */
    private static final int MOST_TOLD = 100;

    private static final int LEAST_TOLD = 10;
    private static final int TOLD_OF_ALL = 20_000;
    /** Number of jobs whose usual durations are looked up. */
    private static final int DURATIONS = 100;

    private static final int PAGE = 500;

    private final ManyJobs many;
    private final JobQueries queries;
    private final DefinitionCheck check;
    private final PlanRequest request;
    private final boolean force;
    private final Set<String> within;
    private final Instant now;
    private final Window window;
    private final HourlyLoad load;
    private final ShownFields fields = new ShownFields();
    private final Map<JobKey, Integer> places = new HashMap<>();
    private final @Nullable JobPlan[] planned;
    private final BitSet isRead = new BitSet();
    private final List<FieldProblem> problems = new ArrayList<>();
    private final NewSecrets secrets = new NewSecrets();
    private final Map<String, PinnedCalendar> calendars = new HashMap<>();
    /** Calendars that were looked up, whether or not they exist. */
    private final Set<String> asked = new HashSet<>();

    private int durations = DURATIONS;
    private int told = MOST_TOLD;
    private @Nullable List<CandidateNode> nodes;
    private final CommandUsers users;

    /**
     * @param users whom commands can run as
     * @param request with a zone in every job
     * @param wanted its calendars, in the versions that they will have
     * @param force also if calendars leave a job without any fire time
     * @param within only jobs of these namespaces are pruned; empty: of all
     */
    Planning(
            ManyJobs many,
            JobQueries queries,
            CommandUsers users,
            PlanRequest request,
            Map<String, PinnedCalendar> wanted,
            boolean force,
            Set<String> within) {
        this.force = force;
        this.within = within;
        this.many = many;
        this.queries = queries;
        this.users = users.remembered();
        this.check = new DefinitionCheck(this.users.someRunAsOthers());
        this.request = request;
        this.now = many.now();
        this.window = new Window(now, now.plus(Duration.ofDays(request.days())));
        this.load = new HourlyLoad(window);
        calendars.putAll(wanted);
        this.planned = new JobPlan[request.jobs().size()];
        for (int i = 0; i < planned.length; i++) {
            places.put(PlanRequest.key(request.jobs().get(i)), i);
        }
    }

    /** @throws InvalidDefinition with all that is wrong with the jobs, each named by its place */
    PlannedJobs plan() {
        List<JobKey> others = others();
        told = Math.max(LEAST_TOLD, Math.min(MOST_TOLD, TOLD_OF_ALL / Math.max(1, places.size() + others.size())));
        many.read(places.keySet(), seen -> plan(Objects.requireNonNull(places.get(seen.key())), seen));
        for (int place = 0; place < planned.length; place++) {
            if (!isRead.get(place)) {
                plan(place, null);
            }
        }
        checkGroups();
        problems.addAll(secrets.problems(many::secrets));
        InvalidDefinition.throwIfAny(problems);
        List<JobPlan> all =
                Arrays.stream(planned).map(Objects::requireNonNull).collect(Collectors.toCollection(ArrayList::new));
        List<JobPlan> removed = new ArrayList<>();
        many.read(others, seen -> removed.add(planned(null, Action.REMOVE, seen, null)));
        removed.sort(Comparator.comparing(job -> job.key().toString()));
        all.addAll(removed);
        return new PlannedJobs(all, load.hours());
    }

    /** Returns the jobs to remove. */
    private List<JobKey> others() {
        Prune prune = request.prune();
        List<JobKey> others = new ArrayList<>();
        boolean more = prune != null;
        @Nullable JobKey after = null;
        while (prune != null && more) {
            List<JobKey> page = queries.keys(prune.page(after, PAGE).within(within));
            page.stream().filter(key -> !places.containsKey(key)).forEach(others::add);
            more = page.size() == PAGE;
            after = more ? page.get(PAGE - 1) : null;
            if (others.size() > PlanRequest.MOST_JOBS) {
                throw new InvalidDefinition(List.of(new FieldProblem(
                        "prune",
                        "would delete more than " + PlanRequest.MOST_JOBS
                                + " jobs: narrow it, as by namespace and labels together")));
            }
        }
        return others;
    }

    /** @param seen null: there is no such job */
    private void plan(int place, @Nullable StoredJob seen) {
        isRead.set(place);
        if (problems.size() >= MOST_PROBLEMS) {
            return;
        }
        ObjectNode sent = request.jobs().get(place);
        try {
            StoredDefinition to = byCalendars(seen, seen == null ? StoredDefinition.parse(sent) : asPut(seen, sent));
            boolean same = seen != null && seen.stored().equals(to);
            if (!same) {
                check.check(within, seen == null ? null : seen.stored(), to);
                secrets.add("jobs[" + place + "]", seen == null ? null : seen.stored(), to);
            }
            if (seen != null && !same) {
                Edit.of(seen, to); // refused if this node cannot tell what becomes of its fire times
            }
            planned[place] = planned(
                    "jobs[" + place + "]", seen == null ? Action.CREATE : same ? Action.NONE : Action.CHANGE, seen, to);
        } catch (InvalidDefinition e) {
            e.problems().forEach(problem -> problems.add(problem.in("jobs[" + place + "]")));
        }
    }

    /** Returns the definition as put: an existing job stays paused, or not, unless that is sent. */
    private static StoredDefinition asPut(StoredJob seen, ObjectNode sent) {
        StoredDefinition to = seen.stored().changedTo(sent);
        return sent.hasNonNull("paused") ? to : to.withPaused(seen.definition().paused());
    }

    /** Returns a definition by the calendars in force; each is looked up once, so that all jobs go by the same. */
    private StoredDefinition byCalendars(@Nullable StoredJob seen, StoredDefinition to) {
        JobCalendars named = to.definition().calendar();
        if (named == null) {
            return to;
        }
        List<String> unknown = named.names().stream()
                .filter(name -> !calendars.containsKey(name) && asked.add(name))
                .toList();
        calendars.putAll(many.calendars(unknown));
        StoredDefinition by = CalendarStore.inForce(to, calendars);
        if (!force) {
            CalendarStore.mustFire(by, seen, now, "; if that is meant, send it with ?force=true");
        }
        return by;
    }

    private void checkGroups() {
        Map<String, List<String>> users = new LinkedHashMap<>();
        for (JobPlan job : planned) {
            String group = job == null || job.to() == null || job.action() == Action.NONE
                    ? null
                    : job.to().definition().group();
            if (group != null) {
                users.computeIfAbsent(group, g -> new ArrayList<>()).add(String.valueOf(job.place()));
            }
        }
        Set<String> there = many.groups(users.keySet());
        users.forEach((group, of) -> {
            if (!there.contains(group)) {
                of.forEach(place -> problems.add(GroupStore.missing(group).in(place)));
            }
        });
    }

    private JobPlan planned(
            @Nullable String place, Action action, @Nullable StoredJob seen, @Nullable StoredDefinition to) {
        JobKey key = seen == null ? Objects.requireNonNull(to).definition().key() : seen.key();
        JobSchedule was = seen == null ? null : schedule(seen.stored(), seen.createdAt());
        JobSchedule is = to == null ? null : schedule(to, seen == null ? now : seen.createdAt());
        MovedFireTimes fireTimes = MovedFireTimes.of(was, is, window, told);
        load.add(
                seen == null || seen.definition().paused() ? null : was,
                to == null || to.definition().paused() ? null : is);
        JobAtVersion version = seen == null ? null : new JobAtVersion(seen.id(), seen.version());
        PlannedChange change = new PlannedChange(
                key.namespace(),
                key.name(),
                action,
                to == null
                        ? List.of()
                        : fields.of(seen == null ? FieldChange.from(to) : FieldChange.between(seen.stored(), to)),
                fireTimes,
                to == null || action == Action.NONE ? List.of() : warnings(seen, to, !fireTimes.isEmpty()),
                to == null || is == null || to.definition().paused() ? null : frozen(is));
        return new JobPlan(place, key, version, to, change);
    }

    private @Nullable Span frozen(JobSchedule schedule) {
        return request.freeze() == null
                ? null
                : Span.within(
                                schedule,
                                request.freeze().from(),
                                request.freeze().until())
                        .orElse(null);
    }

    /** Returns the schedule; null if this node does not understand it, so that no change of fire times is known. */
    private static @Nullable JobSchedule schedule(StoredDefinition stored, Instant createdAt) {
        return stored.schedule(createdAt).orElse(null);
    }

    private List<String> warnings(@Nullable StoredJob seen, StoredDefinition to, boolean moved) {
        StoredJob job = seen == null
                ? new StoredJob(0, 1, to, Pause.OPEN, now, now)
                : new StoredJob(seen.id(), seen.version() + 1, to, seen.pause(), seen.createdAt(), now);
        Optional<Duration> usual = Optional.empty();
        if (seen != null && moved && durations > 0) {
            durations--;
            usual = queries.usualDuration(job.key());
        }
        List<String> warnings = new ArrayList<>(JobWarnings.of(job, usual, this::nodes, users));
        JobCalendars named = to.definition().calendar();
        if (named != null) {
            warnings.addAll(named.ending(now));
        }
        warnings.addAll(FireTimeRemarks.of(to.definition()));
        return warnings;
    }

    private List<CandidateNode> nodes() {
        if (nodes == null) {
            nodes = queries.liveNodes();
        }
        return nodes;
    }

    /** Limit on what is shown of the fields of many jobs, so that the whole answer stays readable, and small. */
    private static final class ShownFields {

        /** Most fields of one job. */
        private static final int MOST_FIELDS = 60;
        /** Most characters of one value. */
        private static final int MOST_OF_VALUE = 500;
        /** Most characters of all values. */
        private static final int MOST_OF_ALL = 1_000_000;

        private int left = MOST_OF_ALL;

        List<FieldChange> of(List<FieldChange> changes) {
            List<FieldChange> shown = new ArrayList<>();
            for (FieldChange change : changes.subList(0, Math.min(MOST_FIELDS, changes.size()))) {
                shown.add(new FieldChange(change.field(), cut(change.before()), cut(change.after())));
            }
            if (changes.size() > MOST_FIELDS) {
                String more = "and " + (changes.size() - MOST_FIELDS) + " more";
                shown.add(new FieldChange("…", NullNode.getInstance(), TextNode.valueOf(more)));
            }
            return shown;
        }

        private JsonNode cut(JsonNode value) {
            String text = value.isTextual() ? value.textValue() : value.toString();
            int most = Math.min(MOST_OF_VALUE, left);
            if (text.length() <= most) {
                left -= text.length();
                return value;
            }
            left -= most;
            int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
            return TextNode.valueOf(text.substring(0, end) + "… (" + text.length() + " characters)");
        }
    }

    /** Stored secrets that planned jobs name for the first time. A secret that a job named before is not refused. */
    private static final class NewSecrets {

        private final Map<JobKey, List<Use>> uses = new LinkedHashMap<>();

        private record Use(String place, JobDefinition job) {}

        /** @param before null: there is no such job */
        void add(String place, @Nullable StoredDefinition before, StoredDefinition to) {
            Set<String> names = to.definition().storedSecrets();
            if (before != null) {
                names.removeAll(before.definition().storedSecrets());
            }
            for (String name : names) {
                uses.computeIfAbsent(new JobKey(to.definition().namespace(), name), key -> new ArrayList<>())
                        .add(new Use(place, to.definition()));
            }
        }

        /** @param there answers those of some secrets that exist */
        List<FieldProblem> problems(Function<Set<JobKey>, Set<JobKey>> there) {
            Set<JobKey> known = uses.isEmpty() ? Set.of() : there.apply(uses.keySet());
            List<FieldProblem> problems = new ArrayList<>();
            uses.forEach((secret, some) -> some.stream()
                    .filter(use -> !known.contains(secret))
                    .forEach(use -> NamedSecrets.missing(use.job(), Set.of(secret.name()))
                            .forEach(problem -> problems.add(problem.in(use.place())))));
            return problems;
        }
    }
}
