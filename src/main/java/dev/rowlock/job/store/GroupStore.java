package dev.rowlock.job.store;

import static dev.rowlock.audit.AuditAction.CREATE;
import static dev.rowlock.audit.AuditAction.PATCH;
import static dev.rowlock.audit.AuditAction.REPLACE;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.Group;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Groups of jobs that share a limit. Thread-safe. */
public final class GroupStore {

    private static final String READ = """
            select g.name, g.slots, g.description, g.created_at, g.updated_at,
                   (select count(*) from group_slot s where s.group_name = g.name) as executing,
                   (select count(*) from task_wait w where w.awaited = concat('group:', g.name)) as waiting
              from job_group g
            """;
    private static final String PAGE = " where :after is null or g.name > :after order by g.name limit :most";

    /** Statement that sets the time first: each assignment sees what those before it have made of the row. */
    private static final String PUT = """
            insert into job_group (name, slots, description, created_at, updated_at)
            values (:name, :slots, :description, utc_timestamp(3), utc_timestamp(3))
            on duplicate key update
                   updated_at = if(slots = values(slots) and description = values(description), updated_at,
                                   values(updated_at)),
                   slots = values(slots), description = values(description)
            """;

    private static final String LOCKED = "select slots, description from job_group where name = :name for update";
    private static final String SHARE = "select name from job_group where name = :name lock in share mode";
    private static final String USERS = """
            select namespace, name from job
             where json_unquote(json_extract(definition, '$.group')) = :name order by namespace, name limit 4
            """;
    private static final String EXECUTING = "select exists (select 1 from group_slot where group_name = :name)";
    private static final String DELETE = "delete from job_group where name = :name";
    private static final String TASKS = """
            (select task_id from group_slot where group_name = :name order by task_id limit :most)
            union all
            (select task_id from task_wait where awaited = concat('group:', :name)
              order by rank_at, task_id limit :most)
            """;

    private final Database database;

    public GroupStore(Database database) {
        this.database = database;
    }

    /** Reasons why a group cannot be deleted. */
    public record InUse(List<JobKey> jobs, boolean executes) {}

    /** Lists the groups after this name, in order. */
    public List<Group> list(@Nullable String after, int most) {
        return database.autoCommit(
                "listing groups",
                handle -> query(handle, READ + PAGE, "after", after, "most", most)
                        .map((row, context) -> read(row))
                        .list());
    }

    public Optional<Group> find(String name) {
        return database.autoCommit(
                "reading group " + name,
                handle -> query(handle, READ + " where g.name = :name", "name", name)
                        .map((row, context) -> read(row))
                        .findOne());
    }

    /** Returns executing tasks, then waiting ones in the order in which they are to start; at most so many of each. */
    public List<Long> tasks(String name, int most) {
        return database.autoCommit(
                "listing the tasks of group " + name,
                handle -> query(handle, TASKS, "name", name, "most", most)
                        .mapTo(Long.class)
                        .list());
    }

    /**
     * Creates or replaces a group. A lower limit ends no executing task.
     *
     * @param guard told what is there, under its lock; if it throws, nothing is changed
     */
    public void put(String name, GroupDefinition group, Consumer<Optional<GroupDefinition>> guard, Audit audit) {
        database.transact("saving group " + name, handle -> {
            Optional<GroupDefinition> seen = locked(handle, name);
            guard.accept(seen);
            int written = write(handle, name, seen, group, audit.doing(seen.isEmpty() ? CREATE : REPLACE));
            if (seen.isEmpty() && written > 1) {
                guard.accept(Optional.of(group)); // somebody else has created it in between
            }
            return written;
        });
    }

    /**
     * Changes a group as it is found under its lock.
     *
     * @param to what becomes of it; if that throws, nothing is changed
     * @return false: there is no such group
     */
    public boolean change(String name, UnaryOperator<GroupDefinition> to, Audit audit) {
        return database.transact("changing group " + name, handle -> {
            Optional<GroupDefinition> seen = locked(handle, name);
            seen.ifPresent(group -> write(handle, name, seen, to.apply(group), audit.doing(PATCH)));
            return seen.isPresent();
        });
    }

    private static Optional<GroupDefinition> locked(Handle handle, String name) {
        return query(handle, LOCKED, "name", name)
                .map((row, context) -> new GroupDefinition(row.getInt("slots"), row.getString("description")))
                .findOne();
    }

    private static int write(
            Handle handle, String name, Optional<GroupDefinition> seen, GroupDefinition group, Audit audit) {
        int written = update(handle, PUT, "name", name, "slots", group.limit(), "description", group.description());
        Subject what = Subject.of("group", name);
        seen.ifPresentOrElse(
                was -> audit.write(handle, what, () -> FieldChange.between(was.json(), group.json())),
                () -> audit.write(handle, what, group.json()));
        return written;
    }

    /** Deletes a group; returns empty if it is deleted, or did not exist. Reads all jobs. */
    public Optional<InUse> delete(String name, Consumer<Optional<GroupDefinition>> guard, Audit audit) {
        return database.transact("deleting group " + name, handle -> {
            Decision.NAMES.exclude(handle);
            Optional<GroupDefinition> seen = locked(handle, name);
            guard.accept(seen);
            List<JobKey> jobs = query(handle, USERS, "name", name)
                    .map((row, context) -> new JobKey(row.getString("namespace"), row.getString("name")))
                    .list();
            boolean executes =
                    query(handle, EXECUTING, "name", name).mapTo(Boolean.class).one();
            if (!jobs.isEmpty() || executes) {
                return Optional.of(new InUse(jobs, executes));
            }
            update(handle, DELETE, "name", name);
            seen.ifPresent(
                    was -> audit.doing(AuditAction.DELETE).write(handle, Subject.of("group", name), was.json(), null));
            return Optional.empty();
        });
    }

    /**
     * Requires the group of a job within the transaction that saves the job, so that the group stays as long as the job
     * does.
     *
     * @throws InvalidDefinition there is no such group
     */
    static void mustBeThere(Handle handle, @Nullable String name) {
        if (name == null) {
            return;
        }
        Decision.NAMES.exclude(handle);
        if (query(handle, SHARE, "name", name).mapTo(String.class).findOne().isEmpty()) {
            throw new InvalidDefinition(List.of(missing(name)));
        }
    }

    /** Returns the problem of a job whose group is missing. */
    public static FieldProblem missing(String name) {
        return new FieldProblem(
                "group",
                "there is no group '" + name + "'; create it with PUT /api/v1/groups/" + name
                        + " and a limit, or name another");
    }

    private static Group read(ResultSet row) throws SQLException {
        return new Group(
                row.getString("name"),
                row.getInt("slots"),
                row.getString("description"),
                row.getLong("executing"),
                row.getLong("waiting"),
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }
}
