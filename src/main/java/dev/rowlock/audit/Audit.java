package dev.rowlock.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.definition.FieldChange;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Audit on somebody's behalf. Whoever changes something writes one row for each thing that is different afterwards, in
 * the transaction of the change; so there is no change without a row, and no row without a change.
 */
public final class Audit {

    /** Audit that records nothing: what Rowlock does by itself, such as ending a pause, is recorded elsewhere. */
    public static final Audit NONE = new Audit(null, null);

    private static final String INSERT = """
            insert into audit (at, who, role, address, request_id, action, kind, namespace, name, was, became)
            values (utc_timestamp(3), :who, :role, :address, :request, :action, :kind, :namespace, :name, :was, :became)
            """;

    private final @Nullable Author author;
    private final @Nullable AuditAction action;

    private Audit(@Nullable Author author, @Nullable AuditAction action) {
        this.author = author;
        this.action = action;
    }

    /** Creates an audit of an author, whose action {@link #doing} names. */
    public static Audit by(Author author) {
        return new Audit(author, null);
    }

    /** Returns the same author's audit with this action. */
    public Audit doing(AuditAction what) {
        return author == null ? this : new Audit(author, what);
    }

    /** Returns the author's name; null: Rowlock itself. */
    public @Nullable String who() {
        return author == null ? null : author.name();
    }

    /** Writes what something is now, without what it was: it did not exist, or that is not to be told. */
    public void write(Handle handle, Subject what, @Nullable JsonNode became) {
        write(handle, what, null, became);
    }

    /**
     * Writes a change. Secrets are masked.
     *
     * @param was null: it was not there
     * @param became null: it is not there any more
     */
    public void write(Handle handle, Subject what, @Nullable JsonNode was, @Nullable JsonNode became) {
        if (author != null) {
            bound(handle.createUpdate(INSERT), author, what, was, became).execute();
        }
    }

    /** State of one thing before and after; null: it did not exist, or does not. */
    public record AuditChange(
            Subject what, @Nullable JsonNode was, @Nullable JsonNode became) {

        /** Creates the entry of changes, field by field; empty if nothing is different. */
        public static Optional<AuditChange> of(Subject what, List<FieldChange> changes) {
            if (changes.isEmpty()) {
                return Optional.empty();
            }
            ObjectNode was = JsonNodeFactory.instance.objectNode();
            ObjectNode became = JsonNodeFactory.instance.objectNode();
            changes.forEach(change -> {
                was.set(change.field(), change.before());
                became.set(change.field(), change.after());
            });
            return Optional.of(new AuditChange(what, was, became));
        }
    }

    /** Writes changes, field by field; nothing if nothing is different. Asks for them only if it writes. */
    public void write(Handle handle, Subject what, Supplier<List<FieldChange>> asked) {
        write(handle, List.of(what), each -> AuditChange.of(each, asked.get()));
    }

    /** Writes changes of many things; asks for their states only if it writes. */
    public <T> void write(Handle handle, Collection<T> changed, Function<T, Optional<AuditChange>> entry) {
        if (author == null || changed.isEmpty()) {
            return;
        }
        PreparedBatch batch = handle.prepareBatch(INSERT);
        changed.forEach(each -> entry.apply(each)
                .ifPresent(
                        e -> bound(batch, author, e.what(), e.was(), e.became()).add()));
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    private <S extends SqlStatement<S>> S bound(
            S statement, Author who, Subject what, @Nullable JsonNode was, @Nullable JsonNode became) {
        if (action == null) {
            throw new IllegalStateException("nobody has said what " + who.name() + " does to " + what);
        }
        return statement
                .bind("who", who.name())
                .bind("role", who.role())
                .bind("address", who.address())
                .bind("request", who.requestId())
                .bind("action", action.word())
                .bind("kind", what.kind())
                .bind("namespace", what.namespace())
                .bind("name", what.name())
                .bind("was", text(was))
                .bind("became", text(became));
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        return value == null ? null : AuditMasking.masked(value).toString();
    }
}
