package dev.rowlock.access.signin;

import dev.rowlock.access.Grant;
import dev.rowlock.access.Role;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of an identity provider, and what its groups may do here.
 *
 * @param redirect where it sends people back to: {@code /signin/callback} of this cluster
 * @param groupsClaim the claim of the ID token that has the groups; with dots, one within others
 * @param roles by the name of a group
 */
public record ProviderSettings(
        URI issuer,
        String clientId,
        String clientSecret,
        URI redirect,
        List<String> scopes,
        String groupsClaim,
        Map<String, GroupRole> roles) {

    /**
     * Role and namespaces of a group's members.
     *
     * @param namespaces that it is limited to; empty: all
     */
    public record GroupRole(Role role, Set<String> namespaces) {}

    /**
     * Returns what a person may do: the highest role of their groups, in the namespaces of the groups that give it.
     *
     * @return empty: none of the groups gives a role
     */
    Optional<Grant> grant(String name, Collection<String> groups) {
        List<GroupRole> given = groups.stream()
                .filter(roles::containsKey)
                .map(group -> roles.get(group))
                .toList();
        return given.stream().map(GroupRole::role).max(Role::compareTo).map(highest -> {
            List<Set<String>> limits = given.stream()
                    .filter(one -> one.role() == highest)
                    .map(GroupRole::namespaces)
                    .toList();
            Set<String> all = limits.stream().anyMatch(Set::isEmpty)
                    ? Set.of()
                    : limits.stream().flatMap(Set::stream).collect(Collectors.toSet());
            return new Grant(name, highest, all);
        });
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "ProviderSettings[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
}
