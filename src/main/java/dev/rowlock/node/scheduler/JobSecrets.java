package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.store.SessionQueries;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.SecretReference;
import dev.rowlock.definition.SecretReference.ReferenceKind;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.secret.Sealed;
import dev.rowlock.secret.SecretSource;
import dev.rowlock.secret.SecretValue;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.secret.store.SecretStore.SecretFacts;
import dev.rowlock.task.rule.Selector;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets of jobs that are about to start, as the database has them now. Read before the transaction that starts them,
 * so that a look-up that fails leaves nothing executing. For one thread at a time.
 */
final class JobSecrets {

    private static final Logger log = LoggerFactory.getLogger(JobSecrets.class);
    /** Bound on values that are kept opened, in characters. */
    private static final long KEPT = 1_000_000;

    private final SecretStore store;
    private final NodeSecrets node;
    private final SessionQueries sessions;
    private final String name;
    /** Opened secrets by the ids of their rows, the most recently used last. */
    private final LinkedHashMap<Long, OpenedSecret> opened = new LinkedHashMap<>(16, 0.75f, true);

    private long weight;
    /** Keys of secrets that this node lacks; they can only be added by a restart. */
    private final Set<String> lacked = ConcurrentHashMap.newKeySet();

    private record OpenedSecret(int version, SecretValue value) {
        long weight() {
            return value.reveal().length();
        }
    }

    /** @param name of this node */
    JobSecrets(SecretStore store, NodeSecrets node, SessionQueries sessions, String name) {
        this.store = store;
        this.node = node;
        this.sessions = sessions;
        this.name = name;
    }

    /**
     * Secrets that some jobs name.
     *
     * @param members the live sessions, if this node lacks the key to one of them. Those that the last heartbeat saw
     *     would not do: a node that has the key may have joined since, and what is started without it has failed
     */
    private record SecretLookup(Map<JobKey, SecretFacts> entries, List<ClusterSession> members) {}

    /**
     * Secrets for the commands of some jobs.
     *
     * @param sources by jobs and variables; a missing one gives the reason when it is read
     * @param left why jobs are left to other nodes, which have the key that this one lacks
     */
    record Given(Map<JobKey, Map<String, SecretSource>> sources, Map<JobKey, String> left) {

        static final Given NOTHING = new Given(Map.of(), Map.of());

        Map<String, SecretSource> of(JobKey job) {
            return sources.getOrDefault(job, Map.of());
        }
    }

    /** Returns the state of the secrets, for people. For any thread. */
    String state() {
        if (!lacked.isEmpty()) {
            return "this node lacks keys to secrets that its jobs name: " + String.join(", ", lacked)
                    + "; add them to secrets.key-file or secrets.previous-keys";
        }
        return node.keys()
                .sealingId()
                .map(id -> "encrypted under key " + id)
                .orElse("none can be stored or read: this node has no key; set secrets.key-file");
    }

    /** Returns the secrets of these jobs. Reads nothing unless one of them names a stored secret. */
    Given of(Collection<JobDefinition> jobs) {
        if (jobs.stream().allMatch(job -> job.secretEnv().isEmpty())) {
            return Given.NOTHING;
        }
        SecretLookup found = find(jobs);
        Given given = new Given(new HashMap<>(), new HashMap<>());
        for (JobDefinition job : jobs) {
            if (!job.secretEnv().isEmpty()) {
                add(job, found, given);
            }
        }
        trim();
        return given;
    }

    /** Returns why a job is left to other nodes; empty if this one can run it, or nobody can. */
    Optional<String> whyLeft(JobDefinition job) {
        if (job.storedSecrets().isEmpty()) {
            return Optional.empty();
        }
        try {
            SecretLookup found = find(List.of(job));
            return found.entries().values().stream()
                    .filter(entry -> isForOthers(job, entry.keyId(), found.members()))
                    .findFirst()
                    .map(JobSecrets::lacking);
        } catch (StatementProblem e) { // of this job alone: others go on
            return Optional.of("its secrets cannot be read: " + e.getMessage());
        }
    }

    private SecretLookup find(Collection<JobDefinition> jobs) {
        Set<JobKey> keys = new LinkedHashSet<>();
        jobs.forEach(job -> job.storedSecrets().forEach(secret -> keys.add(new JobKey(job.namespace(), secret))));
        Map<JobKey, SecretFacts> entries = new HashMap<>();
        for (SecretFacts entry : store.named(keys)) {
            entries.put(new JobKey(entry.namespace(), entry.name()), entry);
            if (!node.keys().has(entry.keyId()) && lacked.add(entry.keyId())) {
                log.warn(
                        "this node lacks key {} that secrets are encrypted under, {} for one",
                        entry.keyId(),
                        entry.label());
            }
        }
        boolean lacksOne =
                entries.values().stream().anyMatch(entry -> !node.keys().has(entry.keyId()));
        return new SecretLookup(entries, lacksOne ? sessions.live() : List.of());
    }

    private void add(JobDefinition job, SecretLookup found, Given given) {
        Map<String, SecretSource> sources = new HashMap<>();
        for (Map.Entry<String, SecretReference> variable : job.secrets().entrySet()) {
            String what = variable.getValue().what();
            SecretFacts entry = found.entries().get(new JobKey(job.namespace(), what));
            boolean isStored = variable.getValue().kind() == ReferenceKind.STORED;
            if (isStored && entry != null && isForOthers(job, entry.keyId(), found.members())) {
                given.left().put(job.key(), lacking(entry));
                return;
            }
            sources.put(
                    variable.getKey(),
                    switch (variable.getValue().kind()) {
                        case FILE -> node.local().file(Path.of(what));
                        case VARIABLE -> node.local().variable(what);
                        case STORED -> entry == null ? missing(job, variable.getKey(), what) : stored(entry);
                    });
        }
        given.sources().put(job.key(), sources);
    }

    private static SecretSource missing(JobDefinition job, String variable, String secret) {
        return SecretSource.missing("there is no secret " + job.namespace() + "/" + secret + ", which secretEnv."
                + variable + " names; create it with PUT /api/v1/secrets/" + job.namespace() + "/" + secret);
    }

    private SecretSource stored(SecretFacts entry) {
        OpenedSecret known = opened.get(entry.id());
        if (known != null && known.version() == entry.version()) {
            return SecretSource.of(known.value());
        }
        drop(entry.id());
        Optional<Sealed> sealed = store.sealed(entry);
        if (sealed.isEmpty()) {
            return SecretSource.missing("secret " + entry.label() + " was changed while the task was started");
        }
        try {
            SecretValue value = node.keys().open(entry.label(), sealed.get());
            OpenedSecret fresh = new OpenedSecret(entry.version(), value);
            opened.put(entry.id(), fresh);
            weight += fresh.weight();
            return SecretSource.of(value);
        } catch (CannotOpen e) {
            return SecretSource.missing(String.valueOf(e.getMessage()));
        }
    }

    private void drop(long id) {
        @Nullable OpenedSecret old = opened.remove(id);
        weight -= old == null ? 0 : old.weight();
    }

    private void trim() {
        var eldest = opened.values().iterator();
        while (weight > KEPT && eldest.hasNext()) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    /** Returns whether other nodes have the key and may run the job. Each part of a broadcast is for one node alone. */
    private boolean isForOthers(JobDefinition job, String keyId, List<ClusterSession> members) {
        if (node.keys().has(keyId) || job.broadcast()) {
            return false;
        }
        Selector selector = Selector.parse(job.nodes());
        return members.stream().anyMatch(member -> mayRun(member, selector) && member.hasKey(keyId));
    }

    private boolean mayRun(ClusterSession member, Selector selector) {
        return !member.node().equals(name) && member.takesWork() && selector.matches(member.node(), member.labels());
    }

    private static String lacking(SecretFacts entry) {
        return "secret " + entry.label() + " is encrypted under key " + entry.keyId();
    }
}
