package dev.rowlock.access;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Caller on whose behalf something is done: what they may not see is left out or refused, and what they change is
 * audited.
 *
 * @param caller null: Rowlock itself, which sees all and is not audited
 */
public record OnBehalf(@Nullable Caller caller) {

    public static final OnBehalf OF_NOBODY = new OnBehalf(null);

    public Audit doing(AuditAction action) {
        return audit().doing(action);
    }

    /** Returns the audit of the caller's changes, whose action is yet to be named. */
    public Audit audit() {
        return caller == null ? Audit.NONE : Audit.by(caller.author());
    }

    /** Returns the visible namespaces; empty: all. */
    public Set<String> within() {
        return caller == null ? Set.of() : caller.namespaces();
    }

    public boolean isEditor() {
        return caller == null || caller.role().includes(Role.EDITOR);
    }

    public boolean reaches(String namespace) {
        return caller == null || caller.reaches(namespace);
    }

    /** @throws dev.rowlock.access.Forbidden the caller is limited to others */
    public void requireNamespace(String namespace) {
        if (caller != null) {
            caller.requireNamespace(namespace);
        }
    }
}
