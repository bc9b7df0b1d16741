package dev.rowlock.access;

import dev.rowlock.store.audit.Author;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request.
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

    /** Somebody who was granted something, with this request. */
    public static Caller of(Grant grant, String address, String requestId) {
        return new Caller(grant.name(), grant.role(), grant.namespaces(), address, requestId);
    }

    /** Whether the caller sees only some namespaces. */
    public boolean isLimited() {
        return !namespaces.isEmpty();
    }

    /** Whether the caller sees what belongs to this namespace. */
    public boolean reaches(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    /**
     * To be called before anything is read: the answer is the same whether there is something or not.
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

    /** As the audit names the caller. */
    public Author author() {
        return new Author(name, role.word(), address, requestId);
    }

    /**
     * The one namespace that a question is about which cannot be asked of several.
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
