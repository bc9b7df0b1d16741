package dev.rowlock.access;

import java.util.Set;

/**
 * Name, role and namespaces granted to a token, or to the session of a signed-in person.
 *
 * @param name of the token or the person; audit and refusals show it
 * @param namespaces that it is limited to; empty: all
 */
public record Grant(String name, Role role, Set<String> namespaces) {

    public Grant {
        namespaces = Set.copyOf(namespaces);
    }
}
