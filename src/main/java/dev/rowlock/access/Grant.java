package dev.rowlock.access;

import java.util.Set;

/**
 * What a token, or a session of somebody who signed in, stands for.
 *
 * @param name of the token or the person; audit and refusals show it
 * @param namespaces that it is limited to; empty: all
 */
public record Grant(String name, Role role, Set<String> namespaces) {

    public Grant {
        namespaces = Set.copyOf(namespaces);
    }
}
