package dev.rowlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.config.Config.GroupRoleConfig;
import dev.rowlock.definition.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the roles of groups. */
final class GroupRoles {

    private static final Set<String> ROLES = Set.of("viewer", "operator", "editor", "admin");

    private GroupRoles() {}

    /** Returns the roles; null if they are malformed. */
    static @Nullable Map<String, GroupRoleConfig> read(FoundValue found) {
        Map<String, GroupRoleConfig> roles = new LinkedHashMap<>();
        if (found.value().isObject()) {
            for (Map.Entry<String, JsonNode> entry : found.value().properties()) {
                if (!put(
                        roles,
                        entry.getKey(),
                        entry.getValue().isTextual() ? entry.getValue().asText() : "")) {
                    return null;
                }
            }
            return Map.copyOf(roles);
        }
        String text = found.text();
        if (text == null || text.isEmpty()) {
            return text == null ? null : Map.of();
        }
        for (String part : text.split(";", -1)) {
            int equals = part.lastIndexOf('='); // the names of groups may have some themselves
            if (equals < 0 || !put(roles, part.substring(0, equals).strip(), part.substring(equals + 1))) {
                return null;
            }
        }
        return Map.copyOf(roles);
    }

    private static boolean put(Map<String, GroupRoleConfig> roles, String group, String text) {
        String[] parts = text.strip().split(":", 2);
        List<String> namespaces = parts.length < 2
                ? List.of()
                : List.of(parts[1].split(",", -1)).stream().map(String::strip).toList();
        boolean right = !group.isEmpty()
                && ROLES.contains(parts[0])
                && namespaces.stream().allMatch(name -> Names.namespaceProblem(name) == null);
        return right && roles.put(group, new GroupRoleConfig(parts[0], Set.copyOf(namespaces))) == null;
    }
}
