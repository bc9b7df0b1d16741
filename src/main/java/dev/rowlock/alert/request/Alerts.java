package dev.rowlock.alert.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.AlertSilence;
import dev.rowlock.alert.store.AlertQueries;
import dev.rowlock.alert.store.AlertQueries.AlertPage;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.ChannelStore.StoredChannel;
import dev.rowlock.alert.store.Cut;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.alert.store.RuleStore.StoredRule;
import dev.rowlock.alert.store.SilenceStore;
import dev.rowlock.alert.store.SilenceStore.StoredSilence;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rules, channels, silences and alerts, as people manage them. Thread-safe. */
public final class Alerts {

    private static final int TRIES = 10;

    private final Stores stores;
    private final KeyRing keys;
    private final TestOfChannel test;
    private final OnBehalf asker;
    private final Precondition precondition;

    /** Stores behind the alerts. */
    public record Stores(RuleStore rules, ChannelStore channels, SilenceStore silences, AlertQueries alerts) {}

    /** Test of a channel, which knows the allowed destinations. */
    public interface TestOfChannel {

        /** Returns what is wrong with a destination, as far as that can be told without trying; null: nothing. */
        @Nullable
        String problem(AlertChannel channel);

        /** Sends a message now. Returns null if it was accepted, otherwise why it was not. */
        @Nullable
        String send(String name, AlertChannel channel);
    }

    /** @param next where the next page begins; null: this is the last */
    public record JsonPage(List<ObjectNode> items, @Nullable String next) {

        private static <T> JsonPage of(Cut<T> found, int most, Function<T, ObjectNode> shown, String key) {
            List<ObjectNode> items = found.rows().stream().map(shown).toList();
            boolean more = found.more() || items.size() == most;
            return new JsonPage(
                    items, more ? items.get(items.size() - 1).path(key).asText() : null);
        }
    }

    /** Channel or rule, with its ETag. */
    public record Tagged(ObjectNode json, String tag) {}

    /** @param created whether it was not there before */
    public record SavedDefinition(Tagged saved, boolean created) {}

    /** @param keys of what channels keep secret */
    public Alerts(Stores stores, KeyRing keys, TestOfChannel test) {
        this(stores, keys, test, OnBehalf.OF_NOBODY, Precondition.NONE);
    }

    private Alerts(Stores stores, KeyRing keys, TestOfChannel test, OnBehalf asker, Precondition precondition) {
        this.precondition = precondition;
        this.stores = stores;
        this.keys = keys;
        this.test = test;
        this.asker = asker;
    }

    /** Returns a view for a caller: other namespaces are left out or refused, and every change is audited. */
    public Alerts by(Caller caller) {
        return new Alerts(stores, keys, test, new OnBehalf(caller), precondition);
    }

    /** Returns a view whose changes require this condition. */
    public Alerts when(Precondition holds) {
        return new Alerts(stores, keys, test, asker, holds);
    }

    /** Returns alerts, newest first. A search for rare ones ends before it has looked at everything, and says where. */
    public JsonPage list(AlertFilter filter) {
        if (filter.namespace() != null) {
            asker.requireNamespace(filter.namespace());
        }
        AlertPage found = stores.alerts().find(filter.within(asker.within()));
        JsonPage page = JsonPage.of(found.alerts(), filter.limit(), AlertJson::shown, "id");
        return page.next() == null && found.reached() != null
                ? new JsonPage(page.items(), found.reached().toString())
                : page;
    }

    private void requireReach(@Nullable String namespace) {
        if (namespace != null) {
            asker.requireNamespace(namespace);
        } else if (!asker.within().isEmpty()) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "namespace",
                    "must be one of " + String.join(", ", asker.within()) + ", to which you are limited")));
        }
    }

    public JsonPage channels(@Nullable String after, int most) {
        return JsonPage.of(stores.channels().list(after, most), most, AlertJson::shown, "name");
    }

    public Tagged channel(String name) {
        return stores.channels()
                .find(name)
                .map(stored -> new Tagged(AlertJson.shown(stored), tag(stored)))
                .orElseThrow(() -> missing("channel", name));
    }

    private static String tag(StoredChannel channel) {
        return String.valueOf(channel.version());
    }

    private void checkChannel(Optional<StoredChannel> seen) {
        precondition.check("the channel", seen.map(Alerts::tag));
    }

    /**
     * Creates or replaces a channel; secrets that are not given are kept.
     *
     * @throws InvalidDefinition messages may not go there
     * @throws Refused this node has no key for what is secret of it
     */
    public SavedDefinition putChannel(String name, AlertChannel channel) {
        String problem = test.problem(channel);
        if (problem != null) {
            throw new InvalidDefinition(List.of(new FieldProblem("destination", problem)));
        }
        for (int i = 0; i < TRIES; i++) {
            StoredChannel was = stores.channels().find(name).orElse(null);
            checkChannel(Optional.ofNullable(was)); // another one by now is not written
            AlertChannel whole = channel.secrets() == null ? channel.with(kept(channel, was)) : channel;
            if (whole.secret() != null && keys.isEmpty()) {
                throw new Refused(
                        Reason.NOT_CONFIGURED,
                        "this node has no key to encrypt the secret parts of channels with: " + KeyRing.REMEDY);
            }
            if (stores.channels().put(name, whole, was, keys, asker.audit())) {
                return new SavedDefinition(channel(name), was == null);
            }
        }
        throw new Refused(Reason.CONFLICT, "channel " + name + " is being changed by others; try again");
    }

    private List<String> kept(AlertChannel channel, @Nullable StoredChannel was) {
        if (was == null || channel.type() != AlertChannel.Type.WEBHOOK || !was.isSigned()) {
            return List.of();
        }
        try {
            return Objects.requireNonNullElse(was.open(keys).secrets(), List.of());
        } catch (CannotOpen e) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "secrets", "cannot stay as they are stored: " + e.getMessage() + "; or send them here")));
        }
    }

    public void deleteChannel(String name) {
        channel(name);
        List<String> users = stores.channels().delete(name, this::checkChannel, asker.audit());
        if (!users.isEmpty()) {
            throw new Refused(
                    Reason.CONFLICT,
                    "channel " + name + " is used by the rules "
                            + String.join(", ", users.subList(0, Math.min(3, users.size())))
                            + (users.size() > 3 ? " and others" : "") + "; give these rules another channel first");
        }
    }

    /** Sends a test message. Returns null if it was accepted, otherwise why it was not. */
    public @Nullable String test(String name) {
        StoredChannel stored = stores.channels().find(name).orElseThrow(() -> missing("channel", name));
        try {
            return test.send(name, stored.open(keys));
        } catch (CannotOpen e) {
            return e.getMessage();
        }
    }

    public JsonPage rules(@Nullable String after, int most) {
        return JsonPage.of(stores.rules().list(after, most, asker.within()), most, AlertJson::shown, "name");
    }

    public Tagged rule(String name) {
        return stores.rules()
                .find(name)
                .filter(this::isSeen)
                .map(stored -> new Tagged(AlertJson.shown(stored), tag(stored.rule())))
                .orElseThrow(() -> missing("rule", name));
    }

    private static String tag(AlertRule rule) {
        return Precondition.tag(rule.json());
    }

    private void checkRule(Optional<AlertRule> seen) {
        precondition.check("the rule", seen.map(Alerts::tag));
    }

    private boolean isSeen(StoredRule stored) {
        String namespace = stored.rule().namespace();
        return namespace == null || asker.reaches(namespace);
    }

    /** @throws InvalidDefinition it names a channel that is not there */
    public SavedDefinition putRule(String name, AlertRule rule) {
        boolean created = stores.rules().put(name, rule, this::checkRule, asker.audit());
        return new SavedDefinition(rule(name), created);
    }

    public void deleteRule(String name) {
        if (!stores.rules().delete(name, this::checkRule, asker.audit())) {
            throw missing("rule", name);
        }
    }

    /** Returns silences, newest first. */
    public JsonPage silences(@Nullable Long before, int most) {
        return JsonPage.of(stores.silences().list(before, most, asker.within()), most, AlertJson::shown, "id");
    }

    public ObjectNode silence(long id) {
        return AlertJson.shown(find(id));
    }

    public ObjectNode addSilence(AlertSilence silence) {
        if (!asker.within().isEmpty()) {
            requireReach(silence.namespace());
        }
        return AlertJson.shown(stores.silences().add(silence, asker.audit()));
    }

    public void deleteSilence(long id) {
        find(id);
        stores.silences().delete(id, asker.audit());
    }

    private StoredSilence find(long id) {
        return stores.silences()
                .find(id)
                .filter(stored -> isSeen(stored.silence()))
                .orElseThrow(() -> missing("silence", String.valueOf(id)));
    }

    private boolean isSeen(AlertSilence silence) {
        return asker.within().isEmpty() || (silence.namespace() != null && asker.reaches(silence.namespace()));
    }

    private static Refused missing(String what, String name) {
        return new Refused(Reason.NOT_FOUND, "there is no " + what + " " + name);
    }
}
