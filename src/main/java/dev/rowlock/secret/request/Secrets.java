package dev.rowlock.secret.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.ChannelStore.StoredChannel;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.secret.Sealed;
import dev.rowlock.secret.SecretLabel;
import dev.rowlock.secret.SecretValue;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.secret.store.SecretStore.SealedSecret;
import dev.rowlock.secret.store.SecretStore.SecretFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stored secrets, for people, who write values and never read them. Thread-safe. */
public final class Secrets {

    /** Most jobs that are named of those that use a secret. */
    private static final int NAMED = 100;

    private static final int BATCH = 100;

    private final SecretStore store;
    private final ChannelStore channels;
    private final KeyRing keys;
    private final OnBehalf asker;
    private final Precondition precondition;

    /** @param channels of alerts, whose secret parts are under the same keys */
    public Secrets(SecretStore store, ChannelStore channels, KeyRing keys) {
        this(store, channels, keys, OnBehalf.OF_NOBODY, Precondition.NONE);
    }

    private Secrets(SecretStore store, ChannelStore channels, KeyRing keys, OnBehalf asker, Precondition precondition) {
        this.precondition = precondition;
        this.store = store;
        this.channels = channels;
        this.keys = keys;
        this.asker = asker;
    }

    /** Returns a view for a caller: secrets of other namespaces are left out, and every change is audited. */
    public Secrets by(Caller caller) {
        return new Secrets(store, channels, keys, new OnBehalf(caller), precondition);
    }

    /** Returns a view whose changes require this condition. */
    public Secrets when(Precondition holds) {
        return new Secrets(store, channels, keys, asker, holds);
    }

    private void check(Optional<SecretFacts> seen) {
        precondition.check("the secret", seen.map(entry -> String.valueOf(entry.version())));
    }

    /**
     * Public facts about a secret.
     *
     * @param keyId of the key that it is encrypted under
     * @param jobs that use it, 100 at most
     */
    public record SecretView(
            String namespace,
            String name,
            int version,
            String keyId,
            List<String> jobs,
            Instant createdAt,
            Instant updatedAt) {}

    /** @param namespace null: all that may be seen */
    public List<SecretView> list(@Nullable String namespace, String afterNamespace, String afterName, int most) {
        return views(
                store.list(namespace == null ? asker.within() : Set.of(namespace), afterNamespace, afterName, most));
    }

    /** @throws Refused there is no such secret */
    public SecretView get(String namespace, String name) {
        return views(store.find(namespace, name).stream().toList()).stream()
                .findFirst()
                .orElseThrow(() -> noSuchSecret(namespace, name));
    }

    /**
     * Creates a secret, or changes its value. Running commands keep the value that they have.
     *
     * @return whether it was not there before
     * @throws InvalidDefinition the value is not acceptable; what it was is not told
     * @throws Refused this node has no key
     */
    public boolean put(String namespace, String name, ObjectNode sent) {
        SecretValue value = value(sent);
        requireKey();
        return store.put(namespace, name, label -> keys.seal(label, value), this::check, asker.audit());
    }

    private static SecretValue value(ObjectNode sent) {
        List<FieldProblem> problems = new ArrayList<>();
        sent.properties().stream()
                .filter(field -> !field.getKey().equals("value"))
                .forEach(field ->
                        problems.add(new FieldProblem(field.getKey(), "is not a field of a secret; there is value")));
        JsonNode value = sent.path("value");
        String problem = value.isTextual()
                ? SecretValue.problem(value.textValue()).orElse(null)
                : value.isMissingNode() || value.isNull() ? "is required: the secret, as a string" : "must be a string";
        if (problem != null) {
            problems.add(new FieldProblem("value", problem));
        }
        InvalidDefinition.throwIfAny(problems);
        return SecretValue.of(value.textValue());
    }

    /**
     * Deletes a secret.
     *
     * @param force also one that jobs use; their runs fail from then on
     * @throws Refused there is no such secret, or jobs use it
     */
    public void delete(String namespace, String name, boolean force) {
        List<JobKey> jobs = store.delete(namespace, name, NAMED, force, this::check, asker.audit())
                .orElseThrow(() -> noSuchSecret(namespace, name));
        if (!jobs.isEmpty() && !force) {
            throw new Refused(
                    Reason.CONFLICT,
                    "secret " + namespace + "/" + name + " is used by "
                            + jobs.stream().limit(10).map(JobKey::toString).collect(Collectors.joining(", "))
                            + (jobs.size() > 10 ? " and others" : "")
                            + "; take it out of their secretEnv first, or delete it with force=true, and their runs"
                            + " fail");
        }
    }

    /**
     * Result of encrypting secrets under another key.
     *
     * @param keyId the key that all but the left ones are encrypted under by now
     * @param left why some are not, 100 at most
     */
    public record Rotated(String keyId, int rotated, List<UnrotatedSecret> left) {}

    /** Secret still encrypted under another key; or a channel, in {@link ChannelStore#PLACE}. */
    public record UnrotatedSecret(String namespace, String name, String keyId, String reason) {}

    /**
     * Encrypts everything under the first key of this node, a few at a time; skips what others change meanwhile. Values
     * and versions stay. May be repeated.
     *
     * @throws Refused this node has no key
     */
    public Rotated rotate() {
        String to = requireKey();
        List<UnrotatedSecret> left = new ArrayList<>();
        int rotated = 0;
        List<SealedSecret> batch = store.notUnder(to, 0, BATCH);
        while (!batch.isEmpty()) {
            for (SealedSecret stored : batch) {
                SecretFacts entry = stored.entry();
                Predicate<Sealed> reseal = again -> store.reseal(entry, again, asker.doing(AuditAction.ROTATE));
                rotated += again(entry.label(), stored.sealed(), reseal, left) ? 1 : 0;
            }
            batch = store.notUnder(to, batch.get(batch.size() - 1).entry().id(), BATCH);
        }
        return new Rotated(to, rotated + rotateChannels(to, left), left);
    }

    private int rotateChannels(String to, List<UnrotatedSecret> left) {
        int rotated = 0;
        List<StoredChannel> batch = channels.notUnder(to, "", BATCH);
        while (!batch.isEmpty()) {
            for (StoredChannel stored : batch) {
                Sealed before = Objects.requireNonNull(stored.sealed());
                Predicate<Sealed> reseal = again -> channels.reseal(stored, again, asker.audit());
                rotated += again(stored.label(), before, reseal, left) ? 1 : 0;
            }
            batch = channels.notUnder(to, batch.get(batch.size() - 1).name(), BATCH);
        }
        return rotated;
    }

    private boolean again(SecretLabel label, Sealed before, Predicate<Sealed> reseal, List<UnrotatedSecret> left) {
        try {
            return reseal.test(keys.seal(label, keys.open(label, before)));
        } catch (CannotOpen e) {
            if (left.size() < NAMED) {
                left.add(new UnrotatedSecret(
                        label.namespace(), label.name(), before.keyId(), String.valueOf(e.getMessage())));
            }
            return false;
        }
    }

    private String requireKey() {
        return keys.sealingId()
                .orElseThrow(() -> new Refused(
                        Reason.NOT_CONFIGURED, "this node has no key to encrypt secrets with: " + KeyRing.REMEDY));
    }

    private List<SecretView> views(List<SecretFacts> entries) {
        Map<JobKey, List<String>> users = new HashMap<>();
        entries.forEach(entry -> users.put(new JobKey(entry.namespace(), entry.name()), new ArrayList<>()));
        entries.stream()
                .map(SecretFacts::namespace)
                .distinct()
                .forEach(namespace -> store.users(
                        namespace,
                        (secret, job) -> Optional.ofNullable(users.get(new JobKey(namespace, secret)))
                                .filter(jobs -> jobs.size() < NAMED)
                                .ifPresent(jobs -> jobs.add(job.toString()))));
        return entries.stream()
                .map(entry -> new SecretView(
                        entry.namespace(),
                        entry.name(),
                        entry.version(),
                        entry.keyId(),
                        users.getOrDefault(new JobKey(entry.namespace(), entry.name()), List.of()),
                        entry.createdAt(),
                        entry.updatedAt()))
                .toList();
    }

    private static Refused noSuchSecret(String namespace, String name) {
        return new Refused(Reason.NOT_FOUND, "there is no secret " + namespace + "/" + name);
    }
}
