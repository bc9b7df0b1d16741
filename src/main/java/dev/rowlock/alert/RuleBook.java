package dev.rowlock.alert;

import dev.rowlock.definition.JobKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Snapshot of all rules, arranged so that those of a job are found without reading the others. */
public final class RuleBook {

    /** Rules before any were read. */
    public static final RuleBook NONE = new RuleBook(-1, List.of());

    private final long version;
    private final Map<String, NamedRule> byName = new HashMap<>();
    private final Map<JobKey, List<NamedRule>> ofJob = new HashMap<>();
    private final Map<String, List<NamedRule>> ofNamespace = new HashMap<>();
    private final List<NamedRule> ofAny = new ArrayList<>();

    /** @param version what these rules are a reading of */
    public RuleBook(long version, Collection<NamedRule> rules) {
        this.version = version;
        for (NamedRule named : rules) {
            AlertRule rule = named.rule();
            byName.put(named.name(), named);
            if (rule.when().stream().noneMatch(AlertCondition::isOfJobs)) {
                continue;
            }
            if (rule.namespace() != null && rule.job() != null) {
                ofJob.computeIfAbsent(new JobKey(rule.namespace(), rule.job()), key -> new ArrayList<>())
                        .add(named);
            } else if (rule.namespace() != null) {
                ofNamespace
                        .computeIfAbsent(rule.namespace(), key -> new ArrayList<>())
                        .add(named);
            } else {
                ofAny.add(named);
            }
        }
    }

    public long version() {
        return version;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns whether any rule selects jobs by label. */
    public boolean asksForLabels() {
        return byName.values().stream().anyMatch(named -> !named.rule().labels().isEmpty());
    }

    public Optional<NamedRule> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the rules about this job. */
    public List<NamedRule> of(JobKey key, Map<String, String> labels) {
        return Stream.of(
                        ofJob.getOrDefault(key, List.of()), ofNamespace.getOrDefault(key.namespace(), List.of()), ofAny)
                .flatMap(List::stream)
                .filter(named -> named.rule().covers(key, labels))
                .toList();
    }

    /** Returns the rules with this condition. */
    public List<NamedRule> with(AlertCondition condition) {
        return byName.values().stream()
                .filter(named -> named.rule().when().contains(condition))
                .toList();
    }

    /** Returns the bounds within which a success of any job matters to no rule. */
    public QuietSuccess quiet() {
        return new QuietSuccess(
                times(AlertCondition.TOO_SHORT, AlertRule::atLeast).stream()
                        .max(Duration::compareTo)
                        .orElse(null),
                times(AlertCondition.TOO_LONG, RunDecision::shortest).stream()
                        .min(Duration::compareTo)
                        .orElse(null),
                times(AlertCondition.NOT_STARTED_BY, AlertRule::deadline).stream()
                        .min(Duration::compareTo)
                        .orElse(null));
    }

    /** Returns the distinct times that rules with this condition have. */
    public Set<Duration> times(AlertCondition condition, Function<AlertRule, @Nullable Duration> time) {
        return with(condition).stream()
                .map(named -> time.apply(named.rule()))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }
}
