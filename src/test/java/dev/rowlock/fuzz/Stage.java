package dev.rowlock.fuzz;

import java.util.List;
import java.util.Map;

/**
 * What there is on the server that is attacked.
 *
 * @param names of parameters and fields, and what would be right for each
 * @param callers everybody who sends requests
 */
record Stage(int port, Map<String, List<String>> names, List<Caller> callers) {

    /**
     * Somebody who sends requests.
     *
     * @param header as it is sent, such as {@code Authorization: Bearer …}; empty: none
     * @param role null: nobody that is known
     * @param limited whether to the namespace {@code own}
     */
    record Caller(
            String name,
            List<String> header,
            @org.jspecify.annotations.Nullable Role role,
            boolean limited) {

        /** Whether the contract lets this caller use an operation, as far as the role and the reach are concerned. */
        boolean may(Operation operation) {
            if (operation.role() == null) {
                return true;
            }
            return role != null
                    && role.compareTo(Role.of(operation.role())) >= 0
                    && !(limited && "cluster".equals(operation.reach()));
        }
    }

    /** Each may what those before it may. */
    enum Role {
        VIEWER,
        OPERATOR,
        EDITOR,
        ADMIN;

        static Role of(String word) {
            return valueOf(word.toUpperCase(java.util.Locale.ROOT));
        }
    }
}
