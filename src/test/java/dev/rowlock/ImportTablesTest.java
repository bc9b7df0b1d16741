package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlock import quartz} and {@code xxl-job} as they are typed, with a URL of their database. */
@Tag("database")
class ImportTablesTest {

    @RegisterExtension
    final TestDatabase server = TestDatabase.withoutTables();

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String kind, String... further) throws IOException {
        Path password = Files.writeString(home.resolve("password"), server.password() + "\n");
        List<String> words = new ArrayList<>(List.of("import", kind, server.url(), "--zone", "UTC"));
        words.addAll(List.of("--database-user", server.user(), "--database-password-file", password.toString()));
        words.addAll(List.of(further));
        return Main.run(
                words,
                Map.of("HOME", home.toString()),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void triggers_of_quartz_are_read_where_they_are() throws Exception {
        execute(
                "create table qrtz_job_details (sched_name varchar(120), job_name varchar(200), job_group varchar(200),"
                        + " description varchar(250), job_class_name varchar(250), is_durable varchar(1),"
                        + " is_nonconcurrent varchar(1), requests_recovery varchar(1), job_data blob)",
                "create table qrtz_triggers (sched_name varchar(120), trigger_name varchar(200), trigger_group varchar(200),"
                        + " job_name varchar(200), job_group varchar(200), priority int, trigger_state varchar(16),"
                        + " trigger_type varchar(8), start_time bigint, end_time bigint, calendar_name varchar(200),"
                        + " misfire_instr smallint, job_data blob)",
                "create table qrtz_cron_triggers (sched_name varchar(120), trigger_name varchar(200),"
                        + " trigger_group varchar(200), cron_expression varchar(120), time_zone_id varchar(80))",
                "insert into qrtz_job_details values ('s', 'native', 'g', null, 'org.quartz.jobs.NativeJob', '1', '0',"
                        + " '0', '#Mon\\ncommand=/opt/x\\n'), ('s', 'java', 'g', null, 'com.example.A', '1', '1', '0',"
                        + " x'aced0005')",
                "insert into qrtz_triggers values ('s', 'a', 't', 'native', 'g', 5, 'WAITING', 'CRON', 1, 0, null, 0, null),"
                        + " ('s', 'b', 't', 'java', 'g', 5, 'WAITING', 'CRON', 1, 0, null, 0, null)",
                "insert into qrtz_cron_triggers values ('s', 'a', 't', '0 0 3 ? * 2', 'Europe/Berlin'),"
                        + " ('s', 'b', 't', '0 0/5 * * * ?', null)");

        assertThat(run("quartz", "--command", "java -cp /opt/app.jar {class}"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        String said = out.toString(StandardCharsets.UTF_8);
        assertThat(said)
                .contains("  - name: native\n    schedule: 0 0 3 ? * MON\n    zone: Europe/Berlin\n")
                .contains("    command: /opt/x\n", "    command: java -cp /opt/app.jar com.example.A\n")
                .contains("    zone: UTC\n", "  # left out: the job's data\n")
                .doesNotContain("password");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("2 jobs\n");
    }

    @Test
    void jobs_of_xxl_job_are_read_where_they_are() throws Exception {
        execute(
                "create table xxl_job_info (id int, job_desc varchar(255), schedule_type varchar(50), schedule_conf"
                        + " varchar(128), misfire_strategy varchar(50), executor_handler varchar(255), glue_type"
                        + " varchar(50), glue_source mediumtext, trigger_status tinyint)",
                "insert into xxl_job_info values (1, '清理', 'CRON', '0 0 2 * * ?', 'DO_NOTHING', '', 'GLUE_SHELL',"
                        + " 'echo 好\\n', 1), (2, 'two', 'CRON', '0 0 2 * * ?', 'DO_NOTHING', 'two', 'BEAN', null, 0)");

        assertThat(run("xxl-job")).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("  - name: xxl-job-1\n", "    description: 清理\n", "echo 好\n")
                .contains("  # not carried over: it calls the handler two of an executor");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("1 job; 1 entry is not carried over: the comments say why\n");
    }

    @Test
    void what_is_not_there_is_said() throws Exception {
        assertThat(run("quartz", "--prefix", "OTHER_")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("rowlock import quartz: there is none of the tables OTHER_JOB_DETAILS, OTHER_TRIGGERS");
        err.reset();
        assertThat(Main.run(
                        List.of("import", "quartz", "jdbc:postgresql://db/x"),
                        Map.of("HOME", home.toString()),
                        new PrintStream(out, true),
                        new PrintStream(err, true)))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("export the tables as CSV or JSON");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
