package dev.rowlock.db;

import java.util.List;
import java.util.Optional;

/**
 * Servers that take writes at the same time.
 *
 * @param kind what makes them do so
 * @param names those of {@code database.url} that do, if more than one does; two names of one server count as one
 */
public record Writers(WriterMode kind, List<String> names) {

    /** One server, as far as is known. */
    public static final Writers ONE = new Writers(WriterMode.SINGLE, List.of());

    private static final String CONFLICT = "Nodes that use different members do not wait for each other's locks: what"
            + " they decide at the same moment is undone on one of them and repeated, and what was changed on one is"
            + " seen on the other a moment later. ";

    /** Reason why several servers take writes. */
    public enum WriterMode {
        /** Single server, or the primary of others. */
        SINGLE,
        /** Galera cluster, where each member takes writes. */
        GALERA,
        /** Replication group in multi-primary mode, where each member takes writes. */
        MULTI_PRIMARY
    }

    /** Describes what may happen and what to do, for people; empty while only one server takes writes. */
    public Optional<String> problem() {
        return switch (kind) {
            case GALERA ->
                Optional.of("The database is a Galera cluster, all of whose members take writes. " + CONFLICT
                        + "Let all nodes use the same member: name the members in database.url, in the same order on"
                        + " each node.");
            case MULTI_PRIMARY ->
                Optional.of("The database is a replication group in multi-primary mode, all of whose"
                        + " members take writes. " + CONFLICT
                        + "Make one the primary: select group_replication_switch_to_single_primary_mode().");
            case SINGLE ->
                names.isEmpty()
                        ? Optional.empty()
                        : Optional.of("Servers " + String.join(" and ", names)
                                + " of database.url take writes at the same time. A node that cannot reach the one goes"
                                + " to the other, and nodes on different servers do not see each other's locks:"
                                + " commands may run twice. Make all but the primary read-only (set persist"
                                + " super_read_only = 1, or read_only = 1 on MariaDB), or name only one of them in"
                                + " database.url.");
        };
    }
}
