package dev.rowlock.db;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Time that a failover takes by the server's own settings, or that a commit waits for a lost replica. */
public final class FailoverTime {

    private static final String SETTINGS = """
            show global variables where variable_name in (
                'group_replication_group_name', 'group_replication_member_expel_timeout',
                'rpl_semi_sync_source_enabled', 'rpl_semi_sync_source_timeout',
                'rpl_semi_sync_master_enabled', 'rpl_semi_sync_master_timeout')
            """;

    /** Silence after which a member is suspected; fixed in the server. */
    private static final int SUSPECTED = 5;
    /** Time from the expulsion to a primary that answers. */
    private static final int ELECTED = 3;
    /** Interval at which a group checks whether to expel a suspected member, if not at once. */
    private static final int CHECKED_EVERY = 15;

    private final Map<String, String> settings;

    FailoverTime(Map<String, String> settings) {
        this.settings = Map.copyOf(settings);
    }

    /** Returns the times of the present server. */
    public static FailoverTime of(Database database) {
        return new FailoverTime(database.autoCommit(
                "reading the server's settings for its failover",
                handle -> handle
                        .createQuery(SETTINGS)
                        .map((row, context) -> Map.entry(row.getString(1), String.valueOf(row.getString(2))))
                        .list()
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
    }

    /**
     * Returns a warning for the log if a failover takes longer than the running commands of a node with these settings
     * can outlast.
     */
    public Optional<String> warning(Duration heartbeat, Duration fence, Duration fenceGrace) {
        Duration left = fence.minus(fenceGrace).minus(heartbeat);
        Duration group = ofGroup();
        if (group.compareTo(left) >= 0) {
            return Optional.of(sentence(
                    "A failover of the database",
                    group,
                    left,
                    "group_replication_member_expel_timeout = " + number("group_replication_member_expel_timeout"),
                    "Set it to 0, or raise session.fence and session.timeout."));
        }
        Duration semiSync = ofSemiSync();
        if (semiSync.compareTo(left) >= 0) {
            return Optional.of(sentence(
                    "A commit that waits for a lost replica",
                    semiSync,
                    left,
                    "rpl_semi_sync_source_timeout = " + semiSync.toMillis(),
                    "Lower it, have a second replica, or raise session.fence and session.timeout."));
        }
        return Optional.empty();
    }

    private static String sentence(String what, Duration takes, Duration left, String because, String remedy) {
        return what + " takes up to " + takes.toSeconds() + " s (" + because
                + "), but running commands are ended when this node has been without" + " it for "
                + left.toMillis() / 1000.0 + " s (session.fence less session.fence-grace and session.heartbeat). "
                + remedy;
    }

    private Duration ofGroup() {
        if (settings.getOrDefault("group_replication_group_name", "").isEmpty()) {
            return Duration.ZERO;
        }
        long expel = number("group_replication_member_expel_timeout");
        long untilExpelled = (expel + CHECKED_EVERY - 1) / CHECKED_EVERY * CHECKED_EVERY;
        return Duration.ofSeconds(SUSPECTED + untilExpelled + ELECTED);
    }

    private Duration ofSemiSync() {
        for (String role : new String[] {"source", "master"}) {
            String enabled = settings.getOrDefault("rpl_semi_sync_" + role + "_enabled", "OFF");
            if (enabled.equalsIgnoreCase("ON") || enabled.equals("1")) {
                return Duration.ofMillis(number("rpl_semi_sync_" + role + "_timeout"));
            }
        }
        return Duration.ZERO;
    }

    private long number(String setting) {
        return Long.parseLong(settings.getOrDefault(setting, "0"));
    }
}
