package dev.rowlock.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.access.Caller;
import dev.rowlock.alert.MessageJson;
import dev.rowlock.control.Refused.Reason;
import dev.rowlock.job.AlertChannel;
import dev.rowlock.job.AlertFilter;
import dev.rowlock.job.AlertRule;
import dev.rowlock.job.AlertSilence;
import dev.rowlock.job.FieldProblem;
import dev.rowlock.job.InvalidDefinition;
import dev.rowlock.job.Times;
import dev.rowlock.secret.CannotOpen;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.store.alert.AlertQueries;
import dev.rowlock.store.alert.ChannelStore;
import dev.rowlock.store.alert.RuleStore;
import dev.rowlock.store.alert.SilenceStore;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rules, channels and silences, and what was raised; for people. For use by several threads. */
public final class Alerts {

    private static final int TRIES = 10;

    private final Stores stores;
    private final KeyRing keys;
    private final TestOfChannel test;
    private final OnBehalf asker;

    /** What is remembered. */
    public record Stores(RuleStore rules, ChannelStore channels, SilenceStore silences, AlertQueries alerts) {}

    /** Tries a channel, and knows where messages may go. */
    public interface TestOfChannel {

        /** What is wrong with a destination, as far as it can be said without trying; null: nothing. */
        @Nullable
        String problem(AlertChannel channel);

        /** Sends a message now. Null: it was taken; else why it was not. */
        @Nullable
        String send(String name, AlertChannel channel);
    }

    /** @param next where the next page begins; null: this is the last */
    public record Page(List<ObjectNode> items, @Nullable String next) {

        private static <T> Page of(
                List<T> found, int most, Predicate<T> seen, Function<T, ObjectNode> shown, String key) {
            ObjectNode last = found.size() < most ? null : shown.apply(found.get(found.size() - 1));
            return new Page(
                    found.stream().filter(seen).map(shown).toList(),
                    last == null ? null : last.path(key).asText());
        }
    }

    /** @param created whether it was not there before */
    public record Saved(ObjectNode json, boolean created) {}

    /** @param keys of what channels keep secret */
    public Alerts(Stores stores, KeyRing keys, TestOfChannel test) {
        this(stores, keys, test, OnBehalf.OF_NOBODY);
    }

    private Alerts(Stores stores, KeyRing keys, TestOfChannel test, OnBehalf asker) {
        this.stores = stores;
        this.keys = keys;
        this.test = test;
        this.asker = asker;
    }

    /** The same for a caller: what is about other namespaces is left out or refused, and every change is audited. */
    public Alerts by(Caller caller) {
        return new Alerts(stores, keys, test, new OnBehalf(caller));
    }

    /** What was raised, the newest first. */
    public Page list(AlertFilter filter) {
        if (filter.namespace() != null) {
            asker.requireNamespace(filter.namespace());
        }
        AlertFilter own = filter.within(asker.within());
        return Page.of(stores.alerts().find(own), filter.limit(), any -> true, Alerts::shown, "id");
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

    public Page channels(@Nullable String after, int most) {
        return Page.of(stores.channels().list(after, most), most, any -> true, Alerts::shown, "name");
    }

    public ObjectNode channel(String name) {
        return stores.channels().find(name).map(Alerts::shown).orElseThrow(() -> missing("channel", name));
    }

    /**
     * Creates or replaces a channel; secrets that are not given stay.
     *
     * @throws InvalidDefinition messages may not go there
     * @throws Refused this node has no key for what is secret of it
     */
    public Saved putChannel(String name, AlertChannel channel) {
        String problem = test.problem(channel);
        if (problem != null) {
            throw new InvalidDefinition(List.of(new FieldProblem("destination", problem)));
        }
        for (int i = 0; i < TRIES; i++) {
            ChannelStore.Stored was = stores.channels().find(name).orElse(null);
            AlertChannel whole = channel.secrets() == null ? channel.with(kept(channel, was)) : channel;
            if (whole.secret() != null && keys.isEmpty()) {
                throw new Refused(
                        Reason.NOT_CONFIGURED,
                        "this node has no key to encrypt the secret parts of channels with: " + KeyRing.REMEDY);
            }
            if (stores.channels().put(name, whole, was, keys, asker.audit())) {
                return new Saved(channel(name), was == null);
            }
        }
        throw new Refused(Reason.CONFLICT, "channel " + name + " is being changed by others; try again");
    }

    private List<String> kept(AlertChannel channel, ChannelStore.@Nullable Stored was) {
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
        List<String> users = stores.channels().delete(name, asker.audit());
        if (!users.isEmpty()) {
            throw new Refused(
                    Reason.CONFLICT,
                    "channel " + name + " is used by the rules "
                            + String.join(", ", users.subList(0, Math.min(3, users.size())))
                            + (users.size() > 3 ? " and others" : "") + "; give these rules another channel first");
        }
    }

    /** Sends a test message. Null: it was taken; else why it was not. */
    public @Nullable String test(String name) {
        ChannelStore.Stored stored = stores.channels().find(name).orElseThrow(() -> missing("channel", name));
        try {
            return test.send(name, stored.open(keys));
        } catch (CannotOpen e) {
            return e.getMessage();
        }
    }

    public Page rules(@Nullable String after, int most) {
        return Page.of(stores.rules().list(after, most), most, this::isSeen, Alerts::shown, "name");
    }

    public ObjectNode rule(String name) {
        return stores.rules()
                .find(name)
                .filter(this::isSeen)
                .map(Alerts::shown)
                .orElseThrow(() -> missing("rule", name));
    }

    private boolean isSeen(RuleStore.Stored stored) {
        String namespace = stored.rule().namespace();
        return namespace == null || asker.reaches(namespace);
    }

    /** @throws InvalidDefinition it names a channel that is not there */
    public Saved putRule(String name, AlertRule rule) {
        boolean created = stores.rules().put(name, rule, asker.audit());
        return new Saved(rule(name), created);
    }

    public void deleteRule(String name) {
        if (!stores.rules().delete(name, asker.audit())) {
            throw missing("rule", name);
        }
    }

    /** The newest first. */
    public Page silences(@Nullable Long before, int most) {
        return Page.of(
                stores.silences().list(before, most), most, stored -> isSeen(stored.silence()), Alerts::shown, "id");
    }

    public ObjectNode silence(long id) {
        return shown(find(id));
    }

    public ObjectNode addSilence(AlertSilence silence) {
        if (!asker.within().isEmpty()) {
            requireReach(silence.namespace());
        }
        return shown(stores.silences().add(silence, asker.audit()));
    }

    public void deleteSilence(long id) {
        find(id);
        stores.silences().delete(id, asker.audit());
    }

    private SilenceStore.Stored find(long id) {
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

    private static ObjectNode shown(AlertQueries.Listed listed) {
        ObjectNode json = MessageJson.alert(listed.alert());
        json.put("sending", listed.alert().sending());
        var messages = json.putArray("messages");
        for (AlertQueries.Message message : listed.messages()) {
            ObjectNode node = messages.addObject();
            node.put("id", message.id());
            node.put("kind", message.kind());
            node.put("channel", message.channel());
            node.put("state", message.state());
            node.put("attempts", message.attempts());
            node.put("nextAt", Times.orNull(message.nextAt()));
            node.put("sentAt", Times.orNull(message.sentAt()));
            node.put("lastError", message.lastError());
        }
        return json;
    }

    private static ObjectNode shown(ChannelStore.Stored stored) {
        ObjectNode json = stored.shown().deepCopy();
        json.put("name", stored.name());
        json.put("createdAt", Times.text(stored.createdAt()));
        return json.put("updatedAt", Times.text(stored.updatedAt()));
    }

    private static ObjectNode shown(RuleStore.Stored stored) {
        ObjectNode json = stored.rule().json();
        json.put("name", stored.name());
        json.put("createdAt", Times.text(stored.createdAt()));
        return json.put("updatedAt", Times.text(stored.updatedAt()));
    }

    private static ObjectNode shown(SilenceStore.Stored stored) {
        ObjectNode json = stored.silence().json();
        json.put("id", stored.id());
        json.put("active", stored.active());
        return json.put("createdAt", Times.text(stored.createdAt()));
    }
}
