package dev.rowlock.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * Lock rows, held until the transaction ends. Order: {@code session}, then {@code task-NN}, then all other rows; a
 * transaction that needs more stripes starts over with all of them.
 *
 * <p>Where several servers take writes, as the members of a Galera cluster do, a lock holds on one of them only, and
 * the cluster compares what transactions have changed: of two that have changed the same row, one is undone, and
 * repeated. There, whoever locks lock rows changes them, too.
 */
public final class Locks {

    /** Number of stripes. A job's tasks are guarded by the lock row of its stripe, {@code job id mod 64}. */
    public static final int STRIPES = 64;

    private static final String ALL = """
            select name, counter, counted_through, rules, utc_timestamp(3) as now
              from cluster_lock where name like 'task-%' order by name for update
            """;
    private static final String SESSION = """
            select counter, note from cluster_lock where name = 'session' for update
            """;

    private static final String WRITE = """
            update cluster_lock set counter = counter + 1 where name = 'session' or name like 'task-%'
            """;

    private static final String RAISE = """
            update cluster_lock set rules = :rules where name like 'task-%'
            """;

    private static final String CHANGE = """
            update json_table(:rows, '$[*]' columns (name varchar(16) character set ascii path '$[0]')) v
              straight_join cluster_lock l force index (primary) on l.name = v.name
               set l.counter = l.counter + 1
            """;

    private static final List<String> NAMES = IntStream.range(0, STRIPES)
            .mapToObj(stripe -> String.format(Locale.ROOT, "task-%02d", stripe))
            .toList();

    private Locks() {}

    /**
     * Stripes that a transaction holds.
     *
     * @param counters the counter of each
     * @param rules which change of the rules that hold for many jobs, as freezes are, is the last one. Who knows the
     *     rules as of another number reads them anew before deciding by them; they cannot change while a stripe is held
     */
    public record HeldStripes(Map<Integer, Long> counters, long rules) {

        private static final HeldStripes NONE = new HeldStripes(Map.of(), 0);

        private HeldStripes exactly(int wanted) {
            if (counters.size() != wanted) {
                throw new IllegalStateException(
                        "locked " + counters.size() + " of " + wanted + " lock rows; cluster_lock is incomplete");
            }
            return this;
        }
    }

    /** Returns the stripe of a job, whose row of {@code cluster_lock} guards all of its tasks, for ever. */
    public static int stripeOf(long jobId) {
        return (int) (jobId % STRIPES);
    }

    /** Locks the rows of these stripes in name order, and changes them where that excludes others. */
    public static void stripes(Handle handle, Collection<Integer> stripes) {
        HeldStripes unused = lock(handle, stripes);
        changeWhereNeeded(handle, stripes);
    }

    /** Changes the rows of these stripes where several servers take writes, as the caller of {@link #lock} has to. */
    public static void changeWhereNeeded(Handle handle, Collection<Integer> stripes) {
        if (handle.getConfig(WritingServers.class).areSeveral()) {
            change(handle, stripes);
        }
    }

    /** Changes the rows of these stripes by incrementing their {@code counter}. */
    public static void change(Handle handle, Collection<Integer> stripes) {
        if (!stripes.isEmpty()) {
            Sql.update(handle, CHANGE, "rows", JsonRows.of(stripes, stripe -> JsonRows.row(name(stripe))));
        }
    }

    /**
     * Locks the rows of these stripes in name order, for a transaction that changes some of them anyway: see {@link
     * #changeWhereNeeded}.
     */
    public static HeldStripes lock(Handle handle, Collection<Integer> stripes) {
        if (stripes.isEmpty()) {
            return HeldStripes.NONE;
        }
        TreeSet<Integer> sorted = new TreeSet<>(stripes);
        return read(
                        handle,
                        "select l.name, l.counter, l.counted_through, l.rules, utc_timestamp(3) as now from "
                                + rows(sorted) + " for update")
                .exactly(sorted.size());
    }

    /**
     * Locks the rows of all stripes and raises the number of the rules on them, for a transaction that changes the
     * rules. Once it has committed, whoever locks a stripe sees the new number, and decided by the rules before only
     * what was committed before.
     *
     * @return the new number
     */
    public static long raiseRules(Handle handle) {
        long rules = read(handle, ALL).exactly(STRIPES).rules + 1;
        int unused = Sql.update(handle, RAISE, "rules", rules);
        return rules;
    }

    /**
     * Returns the rows {@code l} of these stripes, for a statement that locks them: a join driven by the list. A long
     * {@code IN} list would be executed as a scan that waits for every row of the table. So would the join on a server
     * that knows of a few rows only, as of a table just created.
     */
    public static String rows(Collection<Integer> stripes) {
        return stripes.stream()
                .map(stripe -> "select _ascii'" + name(stripe) + "' collate ascii_bin as name")
                .collect(Collectors.joining(
                        " union all ",
                        "(",
                        ") wanted straight_join cluster_lock l force index (primary) on l.name = wanted.name"));
    }

    /**
     * Changes the row of a stripe, so that the commit proves that this server still takes writes for the cluster. A
     * primary that was frozen while its group elected another one answers for a moment from stale data. It cannot
     * commit a change, but it can commit that there is nothing to change.
     */
    public static void prove(Handle handle, int stripe) {
        change(handle, List.of(stripe));
    }

    /** Locks the row {@code session} and those of all stripes, and changes them, on every kind of server. */
    public static void all(Handle handle) {
        if (handle.createQuery(SESSION).mapTo(Long.class).findOne().isEmpty()) {
            throw new IllegalStateException("lock row 'session' is missing from cluster_lock");
        }
        HeldStripes unused = read(handle, ALL).exactly(STRIPES);
        handle.execute(WRITE);
    }

    /** Returns the name of the row of a stripe; in the order of names, rows are locked. */
    public static String name(int stripe) {
        return NAMES.get(stripe);
    }

    /** Reads without Jdbi, which would parse the text: it has no parameters, and differs for each set of stripes. */
    private static HeldStripes read(Handle handle, String sql) {
        Map<Integer, Long> counters = new HashMap<>();
        long rules = 0;
        CountedMark counted = handle.getConfig(CountedMark.class);
        try (Statement statement = handle.getConnection().createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                counters.put(
                        Integer.valueOf(rows.getString("name").substring("task-".length())), rows.getLong("counter"));
                rules = Math.max(rules, rows.getLong("rules"));
                counted.saw(SqlTime.readOrNull(rows, "counted_through"), SqlTime.read(rows, "now"));
            }
            return new HeldStripes(counters, rules);
        } catch (SQLException e) {
            throw new IllegalStateException("the lock rows cannot be locked", e); // told apart by its cause
        }
    }
}
