package dev.rowlock.access;

import dev.rowlock.audit.Author;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sender of a request.
 *
 * @param name of the token or the person
 * @param namespaces that the caller is limited to; empty: all
 * @param address that the request came from
 * @param requestId that the answer carries, and every row of the audit that the request makes
 */
public record Caller(String name, Role role, Set<String> namespaces, String address, String requestId) {

    public Caller {
        namespaces = Set.copyOf(namespaces);
    }

    /** Returns the holder of a grant, as the sender of this request. */
    public static Caller of(Grant grant, String address, String requestId) {
        return new Caller(grant.name(), grant.role(), grant.namespaces(), address, requestId);
    }

    /** Returns whether the caller is limited to some namespaces. */
    public boolean isLimited() {
        return !namespaces.isEmpty();
    }

    /** Returns whether the caller may see this namespace. */
    public boolean reaches(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    /**
     * Refuses a caller without this permission. Call before anything is read, so that the answer does not reveal what
     * exists.
     *
     * @throws Forbidden the role is too low, or the whole cluster is concerned and the caller is limited
     */
    public void require(Permission permission) {
        requireRole(permission.role(), "this");
        if (permission.reach() == Reach.CLUSTER && isLimited()) {
            throw new Forbidden(self() + " is limited to " + own() + "; this concerns the whole cluster and needs a"
                    + " token without namespaces");
        }
    }

    /** @throws Forbidden the role is too low for {@code what} */
    public void requireRole(Role needed, String what) {
        if (!role.includes(needed)) {
            throw new Forbidden(
                    self() + " has the role " + role.word() + "; " + what + " needs the role " + needed.word());
        }
    }

    /** @throws Forbidden the caller is limited to other namespaces */
    public void requireNamespace(String namespace) {
        if (!reaches(namespace)) {
            throw new Forbidden(self() + " is limited to " + own() + "; this needs the namespace " + namespace);
        }
    }

    /** Returns the caller as the audit names it. */
    public Author author() {
        return new Author(name, role.word(), address, requestId);
    }

    /**
     * Returns the one namespace of a query that cannot span several.
     *
     * @param asked null: it does not say
     * @return null: all
     * @throws Forbidden the caller is limited to others, or to several of which none is named
     */
    public @Nullable String only(@Nullable String asked) {
        if (asked != null) {
            requireNamespace(asked);
            return asked;
        }
        if (namespaces.size() > 1) {
            throw new Forbidden(self() + " is limited to " + own() + "; name one of them in the parameter namespace");
        }
        return namespaces.stream().findFirst().orElse(null);
    }

    private String self() {
        return "'" + name + "'";
    }

    private String own() {
        return (namespaces.size() == 1 ? "the namespace " : "the namespaces ")
                + String.join(", ", List.copyOf(new TreeSet<>(namespaces)));
    }
}
