package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.NamedRule;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.NamedDefinitions.NamedDefinition;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.InList;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Rules of alerts. Thread-safe. */
public final class RuleStore {

    /** Statement taken first, so that a rule does not change while it raises alerts. */
    private static final String CHANGED = "update alert_state set rules = rules + 1 where id = 1";

    private static final String VERSION = "select rules from alert_state where id = 1";
    private static final String CHANNEL = "select name from alert_channel where name = :name lock in share mode";
    private static final String CLOSE = """
            update alert set closed_at = utc_timestamp(3), closed_why = 'RULE_CHANGED', remind_at = null
             where rule = :rule and closed_at is null and kind not in (%s)
            """;
    private static final String REMIND = """
            update alert set remind_at = if(:seconds is null, null,
                   coalesce(remind_at, utc_timestamp(3) + interval :seconds second))
             where rule = :rule and closed_at is null
            """;

    private final Database database;
    private final NamedDefinitions rules = new NamedDefinitions("alert_rule");

    public RuleStore(Database database) {
        this.database = database;
    }

    /** Rule as it is stored. */
    public record StoredRule(String name, AlertRule rule, Instant createdAt, Instant updatedAt) {}

    /**
     * Lists the rules after this name, in order, that are about one of these namespaces or about all.
     *
     * @param within empty: about any
     */
    public Cut<StoredRule> list(@Nullable String after, int most, Set<String> within) {
        return database.autoCommit(
                "listing rules of alerts", handle -> Cut.of(rules.page(handle, after, most, within), RuleStore::read));
    }

    public Optional<StoredRule> find(String name) {
        return database.autoCommit(
                "reading rule " + name, handle -> rules.find(handle, name).map(RuleStore::read));
    }

    /**
     * Creates or replaces a rule. Alerts that it is no longer about are closed.
     *
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     * @return whether it was not there before
     * @throws InvalidDefinition it names a channel that is not there
     */
    public boolean put(String name, AlertRule rule, Consumer<Optional<AlertRule>> guard, Audit audit) {
        return database.transact("saving rule " + name, handle -> {
            Decision.NAMES.exclude(handle);
            update(handle, CHANGED);
            guard.accept(find(handle, name));
            mustBeThere(handle, rule.channels());
            ObjectNode was =
                    rules.find(handle, name).map(NamedDefinition::definition).orElse(null);
            boolean created = rules.put(handle, name, rule.json());
            audit.doing(created ? AuditAction.CREATE : AuditAction.REPLACE)
                    .write(handle, Subject.of("alert-rule", name), was, rule.json());
            close(handle, name, rule.when());
            Duration reminder = rule.reminder();
            update(handle, REMIND, "rule", name, "seconds", reminder == null ? null : reminder.toSeconds());
            return created;
        });
    }

    /**
     * Deletes a rule and closes its alerts. Returns false if there was none.
     *
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     */
    public boolean delete(String name, Consumer<Optional<AlertRule>> guard, Audit audit) {
        return database.transact("deleting rule " + name, handle -> {
            update(handle, CHANGED);
            guard.accept(find(handle, name));
            rules.find(handle, name)
                    .ifPresent(row -> audit.doing(AuditAction.DELETE)
                            .write(handle, Subject.of("alert-rule", name), row.definition(), null));
            close(handle, name, List.of());
            return rules.delete(handle, name);
        });
    }

    /** Returns all rules; the known ones if they have not changed. */
    public RuleBook book(RuleBook known) {
        return database.autoCommit("reading the rules of alerts", handle -> {
            long version = query(handle, VERSION).mapTo(Long.class).one(); // first: what comes later is read again
            return version == known.version()
                    ? known
                    : new RuleBook(
                            version,
                            rules.all(handle).stream()
                                    .map(row -> new NamedRule(
                                            row.name(), AlertRule.stored(row.definition()), row.createdAt()))
                                    .toList());
        });
    }

    private Optional<AlertRule> find(Handle handle, String name) {
        return rules.find(handle, name).map(row -> AlertRule.stored(row.definition()));
    }

    private static void close(Handle handle, String rule, List<AlertCondition> but) {
        List<String> kept = new ArrayList<>(List.of("NONE"));
        but.forEach(condition -> kept.add(condition.name()));
        if (but.equals(List.of(AlertCondition.RECOVERED))) {
            kept.add(AlertCondition.FAILED.name()); // it goes on being watched
        }
        update(handle, CLOSE.formatted(InList.texts(kept)), "rule", rule);
    }

    private static void mustBeThere(Handle handle, List<String> channels) {
        List<FieldProblem> missing = new ArrayList<>();
        for (int i = 0; i < channels.size(); i++) {
            String name = channels.get(i);
            if (query(handle, CHANNEL, "name", name)
                    .mapTo(String.class)
                    .findOne()
                    .isEmpty()) {
                missing.add(new FieldProblem(
                        "channels[" + i + "]",
                        "there is no channel '" + name + "'; create it with PUT /api/v1/alerts/channels/" + name
                                + ", or name another"));
            }
        }
        InvalidDefinition.throwIfAny(missing);
    }

    private static StoredRule read(NamedDefinition row) {
        return new StoredRule(row.name(), AlertRule.stored(row.definition()), row.createdAt(), row.updatedAt());
    }
}
