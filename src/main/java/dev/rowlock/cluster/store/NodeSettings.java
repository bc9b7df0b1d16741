package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.transition.Release;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Operators' settings of nodes, and how they take effect on sessions. */
public final class NodeSettings {

    private static final String ALL = "select node, labels, capacity, drained from node_setting";
    private static final String SET = """
            insert into node_setting (node, labels, capacity, drained, updated_at)
            values (:node, :labels, :capacity, :drained, utc_timestamp(3))
                on duplicate key update labels = values(labels), capacity = values(capacity),
                   drained = values(drained), updated_at = values(updated_at)
            """;
    private static final String UNSET = "delete from node_setting where node = :node";
    private static final String SESSION = "select " + SessionRows.COLUMNS + " from session where node = :node";
    /**
     * Statement that applies the settings. A session of an earlier version does not publish its configuration: that is
     * what it joined with.
     */
    private static final String TAKE_EFFECT = """
            update session
               set own_labels = :ownLabels, own_capacity = :ownCapacity, labels = :labels, capacity = :capacity,
                   drained = :drained, state = if(:drained or stopping, 'DRAINING', 'ALIVE')
             where id = :id
            """;

    private static final String KNOWN = """
            select node from session union select node from session_past union select node from node_setting
             order by node
            """;

    private final Database database;
    private final Release release;

    public NodeSettings(Database database) {
        this.database = database;
        this.release = new Release(database);
    }

    /**
     * Node after a change.
     *
     * @param session which it has as of now; empty: it is not alive
     */
    public record UpdatedNode(NodeSetting setting, Optional<ClusterSession> session) {}

    /** Returns the names of all nodes that exist, existed, or have a setting. */
    public List<String> nodes() {
        return database.autoCommit(
                "reading the names of the nodes",
                handle -> handle.createQuery(KNOWN).mapTo(String.class).list());
    }

    /**
     * Changes the setting of a node. No task is started against it afterwards: the transaction has all lock rows, and
     * whoever starts a task reads the row of its session under one of them. What the node had prepared and may no
     * longer run is given back.
     */
    public UpdatedNode change(String node, UnaryOperator<NodeSetting> change, Audit audit) {
        UpdatedNode changed = database.transact("changing the settings of node " + node, handle -> {
            Locks.all(handle);
            NodeSetting before = of(handle, node);
            NodeSetting setting = change.apply(before);
            save(handle, node, setting);
            audit.write(handle, Subject.of("node", node), () -> FieldChange.between(json(before), json(setting)));
            Optional<ClusterSession> session = session(handle, node);
            session.ifPresent(s -> takeEffect(handle, s, setting));
            return new UpdatedNode(setting, session(handle, node));
        });
        changed.session.ifPresent(
                s -> release.giveBackMisplaced(s.id(), new CandidateNode(s.node(), s.labels(), s.takesWork())));
        return changed;
    }

    private static ObjectNode json(NodeSetting setting) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode labels = node.putObject("labels");
        setting.labels().forEach(labels::put);
        return node.put("capacity", setting.capacity()).put("drained", setting.drained());
    }

    static NodeSetting of(Handle handle, String node) {
        return query(handle, ALL + " where node = :node", "node", node)
                .map((row, context) -> read(row))
                .findOne()
                .orElse(NodeSetting.NONE);
    }

    /** Returns all settings by node. */
    static Map<String, NodeSetting> all(Handle handle) {
        Map<String, NodeSetting> all = new HashMap<>();
        handle.createQuery(ALL)
                .map((row, context) -> all.put(row.getString("node"), read(row)))
                .list();
        return all;
    }

    private static NodeSetting read(ResultSet row) throws SQLException {
        int capacity = row.getInt("capacity");
        return new NodeSetting(JsonRows.texts(row, "labels"), isNull(row) ? null : capacity, row.getBoolean("drained"));
    }

    private static boolean isNull(ResultSet row) throws SQLException {
        row.getInt("capacity");
        return row.wasNull();
    }

    private static void save(Handle handle, String node, NodeSetting setting) {
        if (setting.equals(NodeSetting.NONE)) {
            update(handle, UNSET, "node", node);
            return;
        }
        @Nullable String labels = setting.labels().isEmpty() ? null : JsonRows.text(setting.labels());
        handle.createUpdate(SET)
                .bind("node", node)
                .bind("labels", labels)
                .bind("capacity", setting.capacity())
                .bind("drained", setting.drained())
                .execute();
    }

    private static Optional<ClusterSession> session(Handle handle, String node) {
        return query(handle, SESSION, "node", node)
                .map((row, context) -> SessionRows.read(row))
                .findFirst();
    }

    private static void takeEffect(Handle handle, ClusterSession session, NodeSetting setting) {
        ClusterSession.Configured configured = session.configured();
        handle.createUpdate(TAKE_EFFECT)
                .bind("ownLabels", JsonRows.text(configured.labels()))
                .bind("ownCapacity", configured.capacity())
                .bind("labels", JsonRows.text(setting.labels(configured)))
                .bind("capacity", setting.capacity(configured))
                .bind("drained", setting.drained())
                .bind("id", session.id())
                .execute();
    }
}
