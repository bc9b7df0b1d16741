package dev.rowlock.node.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.StatementProblem;
import dev.rowlock.definition.Outcome;
import dev.rowlock.node.FakeProcesses;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.OutputStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class OutputKeeperTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    private final FakeProcesses processes = new FakeProcesses(System::nanoTime);
    private Rows rows;
    private Database database;
    private OutputKeeper keeper;

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        rows = new Rows(server);
        database = Database.single(address, Duration.ofSeconds(10));
        keeper = new OutputKeeper(processes, Set.of(), new OutputStore(database), new LocalTasks());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void an_output_that_the_database_refuses_does_not_keep_the_next_from_being_stored() {
        refuse("new.task_id = 1");

        ended(1, 10);
        ended(2, 10);
        keeper.runOnce();

        assertThat(rows.all("select task_id from task_output")).containsExactly(java.util.Map.of("task_id", "2"));
        assertThat(processes.outputs).as("files that are kept").isEmpty();
    }

    @Test
    void of_an_output_that_is_refused_for_its_size_both_ends_are_kept() {
        refuse("length(new.head) > 5000");

        ended(1, 100_000);
        keeper.runOnce();

        assertThat(
                        rows.one(
                                "select concat(total_bytes, ' ', cut_bytes, ' ', length(head), ' ', length(tail)) from task_output"))
                .isEqualTo("100000 91808 4096 4096");
    }

    @Test
    void more_outputs_than_it_can_store_in_time_are_not_heaped_up() {
        List<Ending> endings = IntStream.range(1, 3001).mapToObj(this::ending).toList();

        keeper.ended(endings);

        assertThat(processes.outputs).hasSize(2000);
        keeper.runOnce();
        assertThat(rows.count("task_output")).isEqualTo(2000);
        keeper.ended(List.of(ending(3001)));
        keeper.runOnce();
        assertThat(rows.count("task_output")).isEqualTo(2001);
    }

    @Test
    void an_output_is_kept_for_later_when_what_goes_wrong_is_not_its_fault() {
        rows.run("create trigger refuses before insert on task_output for each row if new.task_id = 1"
                + " then signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'broken'; end if");
        ended(1, 10);
        ended(2, 10);

        assertThatThrownBy(() -> keeper.runOnce()).isInstanceOf(StatementProblem.class);
        assertThat(rows.all("select task_id from task_output")).containsExactly(java.util.Map.of("task_id", "2"));
        assertThatThrownBy(() -> keeper.runOnce()).isInstanceOf(StatementProblem.class);

        rows.run("drop trigger refuses");
        keeper.runOnce();
        assertThat(rows.count("task_output")).isEqualTo(2);
    }

    @Test
    void many_outputs_that_fail_hold_up_the_next_for_a_few_passes_only_and_the_end_of_the_node_not_at_all() {
        rows.run("create trigger refuses before insert on task_output for each row if new.task_id <= 50"
                + " then signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'broken'; end if");
        for (int task = 1; task <= 51; task++) {
            ended(task, 10);
        }

        for (int pass = 0; pass < 3; pass++) {
            assertThatThrownBy(() -> keeper.runOnce()).isInstanceOf(StatementProblem.class);
        }
        assertThat(rows.all("select task_id from task_output")).containsExactly(java.util.Map.of("task_id", "51"));
        keeper.storeLast();
        assertThat(processes.outputs).as("files that are kept").hasSize(50);
    }

    @Test
    void an_output_of_an_earlier_life_that_fails_holds_up_no_other_and_is_kept_for_later() {
        rows.run("create trigger refuses before insert on task_output for each row if new.task_id = 1"
                + " then signal sqlstate 'HY000' set mysql_errno = 9001, message_text = 'broken'; end if");
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome,"
                        + " launch_id, ended_at, last_fire_time) select n, 1, 'default', 'j', 1, utc_timestamp(3), n, 1, 'SCHEDULE', 'LOST',"
                        + " concat('abc-', n), utc_timestamp(3), utc_timestamp(3) from " + Numbers.upTo(2));
        processes.outputs.put(launch(1), new byte[10]);
        processes.outputs.put(launch(2), new byte[10]);
        OutputKeeper next =
                new OutputKeeper(processes, Set.of(launch(1), launch(2)), new OutputStore(database), new LocalTasks());
        next.joined();

        assertThatThrownBy(next::runOnce).isInstanceOf(StatementProblem.class);
        assertThat(rows.all("select task_id from task_output")).containsExactly(java.util.Map.of("task_id", "2"));

        rows.run("drop trigger refuses");
        next.runOnce();
        assertThat(rows.count("task_output")).isEqualTo(2);
    }

    /** The node that was killed had another name, so this one has joined before the session of that one has expired. */
    @Test
    void an_output_of_what_is_not_lost_yet_waits_until_it_is() {
        rows.run(
                "insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, state, launch_id, session_id)"
                        + " values (1, 1, 1, 1, utc_timestamp(3), 1, 'SCHEDULE', 'EXECUTING', 'abc-1', 'other')");
        processes.outputs.put(launch(1), new byte[10]);
        processes.outputs.put(launch(2), new byte[10]);
        OutputKeeper next =
                new OutputKeeper(processes, Set.of(launch(1), launch(2)), new OutputStore(database), new LocalTasks());
        next.joined();

        next.runOnce();
        assertThat(processes.outputs).as("nobody's is gone").containsOnlyKeys(launch(1));

        rows.run("delete from live_task");
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, launch_id, ended_at, last_fire_time) values (1, 1, 'default', 'j', 1, utc_timestamp(3), '', 1,"
                + " 'SCHEDULE', 'LOST', 'abc-1', utc_timestamp(3), utc_timestamp(3))");
        next.runOnce();
        assertThat(rows.all("select task_id from task_output")).containsExactly(java.util.Map.of("task_id", "1"));
        assertThat(processes.outputs).isEmpty();
    }

    private void refuse(String when) {
        rows.run("create trigger refuses before insert on task_output for each row if " + when
                + " then signal sqlstate '45000' set message_text = 'refused'; end if");
    }

    private void ended(int task, int bytes) {
        Ending ending = ending(task);
        processes.outputs.put(launch(task), new byte[bytes]);
        keeper.ended(List.of(ending));
    }

    private Ending ending(int task) {
        processes.outputs.put(launch(task), new byte[] {'x'});
        return new Ending(
                new TaskRef(task, 64, 1, 0, launch(task)),
                Outcome.SUCCEEDED,
                null,
                null,
                null,
                0,
                null,
                1L,
                null,
                null,
                null);
    }

    private static LaunchId launch(int task) {
        return new LaunchId("abc-" + task);
    }
}
