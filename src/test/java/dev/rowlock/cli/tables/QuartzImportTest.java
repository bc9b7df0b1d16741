package dev.rowlock.cli.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What triggers of Quartz become. */
class QuartzImportTest {

    private static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");

    private static List<Imported> read(String rows) throws IOException {
        return read(rows, new CommandTemplate("java -cp app.jar {class} {name}"));
    }

    private static List<Imported> read(String rows, CommandTemplate template) throws IOException {
        ImportText text = new ImportText("default", false);
        text.begin("x");
        new QuartzImport("UTC", template, NOW).read(TableText.read(rows), text);
        text.finish();
        return text.items();
    }

    private static ObjectNode job(Imported imported) {
        return Objects.requireNonNull(imported.job(), () -> imported.comments().toString());
    }

    @Test
    void tables_are_joined_by_their_keys() throws IOException {
        List<Imported> all = read("""
                {"QRTZ_JOB_DETAILS": [{"SCHED_NAME": "s", "JOB_GROUP": "g", "JOB_NAME": "Send reports",
                   "JOB_CLASS_NAME": "com.example.Reports", "IS_NONCONCURRENT": "1", "REQUESTS_RECOVERY": "1",
                   "DESCRIPTION": "Sends them", "JOB_DATA": "(binary)"}],
                 "QRTZ_TRIGGERS": [{"SCHED_NAME": "s", "TRIGGER_GROUP": "t", "TRIGGER_NAME": "nightly", "JOB_GROUP": "g",
                   "JOB_NAME": "Send reports", "TRIGGER_STATE": "PAUSED", "PRIORITY": 7, "MISFIRE_INSTR": 2,
                   "TRIGGER_TYPE": "CRON", "START_TIME": 1, "END_TIME": 0}],
                 "QRTZ_CRON_TRIGGERS": [{"SCHED_NAME": "s", "TRIGGER_GROUP": "t", "TRIGGER_NAME": "nightly",
                   "CRON_EXPRESSION": "0 0 3 ? * 2-6", "TIME_ZONE_ID": "Europe/Berlin"}]}
                """);

        assertThat(all).hasSize(1);
        assertThat(Trees.text(job(all.get(0)))).isEqualTo(Trees.text(Trees.json("""
                {"name": "Send-reports", "description": "Sends them", "schedule": "0 0 3 ? * MON-FRI",
                 "zone": "Europe/Berlin", "paused": true, "overlap": "QUEUE", "overlapLimit": 1, "misfire": "SKIP",
                 "onLost": "RERUN", "priority": 2, "command": "java -cp app.jar com.example.Reports 'Send reports'"}
                """)));
        assertThat(all.get(0).comments())
                .containsExactly(
                        "trigger t.nightly of com.example.Reports: 0 0 3 ? * 2-6",
                        "the same as Quartz's 0 0 3 ? * 2-6, which counts Sunday as 1",
                        "left out: the job's data",
                        "paused, as it lacks something: rowlock job resume starts it");
    }

    private static String trigger(String name, String cron, String more) {
        return "{\"TRIGGER_NAME\":\"" + name + "\",\"JOB_NAME\":\"j\",\"JOB_CLASS_NAME\":\"C\",\"CRON_EXPRESSION\":\""
                + cron + "\"" + more + "}";
    }

    @Test
    void triggers_of_one_job_that_differ_in_their_schedules_alone_are_one_job() throws IOException {
        List<Imported> all = read("[" + trigger("a", "0 0 3 * * ?", "") + ","
                + trigger("b", "0 0 4 ? * 2", ",\"TIME_ZONE_ID\":\"Asia/Tokyo\"") + ","
                + trigger("c", "0 0 5 * * ?", ",\"PRIORITY\":9") + ","
                + trigger("d", "0 0 6 * * ?", ",\"CALENDAR_NAME\":\"xmas\"") + ","
                + trigger("e", "0 0 7 * * ?", ",\"JOB_DATA\":\"(blob)\"") + ","
                + trigger("f", "0 0 8 * * ?", "") + "]");

        assertThat(all).extracting(one -> job(one).path("name").asText()).containsExactly("j-a", "j-c", "j-d", "j-e");
        assertThat(Trees.text(job(all.get(0)).path("schedule")))
                .isEqualTo(
                        "[\"0 0 3 * * ?\",{\"schedule\":\"0 0 4 ? * MON\",\"zone\":\"Asia/Tokyo\"},\"0 0 8 * * ?\"]");
        assertThat(all.get(0).comments())
                .containsSubsequence(
                        "trigger a of C: 0 0 3 * * ?", "trigger b of C: 0 0 4 ? * 2", "trigger f of C: 0 0 8 * * ?");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            0 0 3 * * ?            => 0 0 3 * * ?
            0 0 3 ? * 1            => 0 0 3 ? * SUN
            0 0 3 ? * 1-5          => 0 0 3 ? * SUN-THU
            0 0 3 ? * 6-2          => 0 0 3 ? * FRI-MON
            0 0 3 ? * 2,4,6        => 0 0 3 ? * MON,WED,FRI
            0 0 3 ? * 2-6/2        => 0 0 3 ? * MON,WED,FRI
            0 0 3 ? * 1/2          => 0 0 3 ? * SUN,TUE,THU,SAT
            0 0 3 ? * */3          => 0 0 3 ? * SUN,WED,SAT
            0 0 3 ? * 6#3          => 0 0 3 ? * FRI#3
            0 0 3 ? * 6L           => 0 0 3 ? * FRIL
            0 0 3 ? * L            => 0 0 3 ? * SAT
            0 0 3 ? * MON-FRI/2    => 0 0 3 ? * MON-FRI
            0 0 3 ? * mon-fri      => 0 0 3 ? * MON-FRI
            0 0 22-2 * * ?         => 0 0 22-23,0-2 * * ?
            0 0 22-4/2 * * ?       => 0 0 22,0,2,4 * * ?
            0 50-10 * * * ?        => 0 50-59,0-10 * * * ?
            0 0 0 28-3 * ?         => 0 0 0 28-31,1-3 * ?
            0 0 0 1 11-2 ?         => 0 0 0 1 11-12,1-2 ?
            0 0 3 L-2 * ?          => 0 0 3 L-2 * ?
            0 0 3 15W * ? 2030     => 0 0 3 15W * ? 2030
            """)
    void an_expression_is_translated(String theirs, String ours) throws IOException {
        assertThat(QuartzCron.translated(theirs)).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            "CRON_EXPRESSION":"0 0 3 L-2W * ?"                     => not carried over: day-of-month: "L-2W" is not known
            "CRON_EXPRESSION":"0 0 3 * * ?","TRIGGER_STATE":"COMPLETE" => not carried over: it has fired for the last time
            "CRON_EXPRESSION":"0 0 3 * * ?","END_TIME":1000        => not carried over: it ended at 1970-01-01T00:00:01Z
            "CRON_EXPRESSION":"0 0 3 * * ?","TIME_ZONE_ID":"Mars"  => not carried over: "Mars" is not a time zone
            "TRIGGER_TYPE":"CAL_INT"                               => not carried over: there is no cron expression for it
            "REPEAT_INTERVAL":1000,"REPEAT_COUNT":0,"START_TIME":1 => not carried over: it fires once, and that is over
            "REPEAT_INTERVAL":1000,"REPEAT_COUNT":2,"TIMES_TRIGGERED":3 => not carried over: it has fired as often
            "REPEAT_INTERVAL":10,"REPEAT_COUNT":-1                 => not carried over:
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":-1,"START_TIME":1795392000000 => "schedule":"@every 1m30s","startAt":"2026-11-23T00:00:00Z"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":9,"TIMES_TRIGGERED":4 => "maxRuns":6
            "REPEAT_INTERVAL":0,"REPEAT_COUNT":0,"START_TIME":1795478400000 => "schedule":"@at 2026-11-24T00:00:00Z"
            "CRON_EXPRESSION":"0 0 3 * * ?","MISFIRE_INSTR":0      => "misfire":"RUN_ONCE"
            "CRON_EXPRESSION":"0 0 3 * * ?","MISFIRE_INSTR":2      => "misfire":"SKIP"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":-1,"MISFIRE_INSTR":0 => "misfire":"SKIP"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":9,"MISFIRE_INSTR":0 => "misfire":"RUN_ONCE"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":9,"MISFIRE_INSTR":1 => "misfire":"RUN_ONCE"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":9,"MISFIRE_INSTR":3 => "misfire":"RUN_ONCE"
            "REPEAT_INTERVAL":90000,"REPEAT_COUNT":9,"MISFIRE_INSTR":5 => "misfire":"SKIP"
            "CRON_EXPRESSION":"0 0 3 * * ?","TIME_ZONE_ID":"GMT+02:00" => "zone":"Etc/GMT-2"
            "CRON_EXPRESSION":"0 0 3 * * ?","TIME_ZONE_ID":"EST"   => "zone":"EST"
            "CRON_EXPRESSION":"0 0 3 * * ?","TIME_ZONE_ID":"PST"   => "zone":"America/Los_Angeles"
            "CRON_EXPRESSION":"0 0 3 * * ?","IS_UPDATE_DATA":"1"   => what a run writes into its data
            "CRON_EXPRESSION":"0 0 3 * * ?","PRIORITY":500         => "priority":100
            "CRON_EXPRESSION":"0 0 3 * * ?","TENANT":"x"           => left out, as a job has no such thing: tenant
            "CRON_EXPRESSION":"0 0 3 * * ?","CALENDAR_NAME":"xmas" => "paused":true
            "CRON_EXPRESSION":"0 0 3 * * ?","JOB_DATA":"(blob)"    => "paused":true
            "CRON_EXPRESSION":"0 0 3 * * ?","MISFIRE_INSTR":-1     => "overlap":"ALLOW","misfire":"RUN_ALL"
            "CRON_EXPRESSION":"0 0 3 * * ?","TRIGGER_STATE":"ERROR" => Quartz has set it aside after an error, so it is paused
            "CRON_EXPRESSION":"0 0 3 * * ?","CALENDAR_NAME":"xmas" => left out: the calendar xmas, which excludes times
            "CRON_EXPRESSION":"0 0 3 * * ?","CALENDAR_NAME":"xmas" => (rowlock calendar set xmas -f FILE)
            """)
    void a_trigger_means_this(String columns, String said) throws IOException {
        Imported imported = read("[{\"TRIGGER_NAME\":\"t\",\"JOB_NAME\":\"j\",\"JOB_CLASS_NAME\":\"C\"," + columns
                        + "}]")
                .get(0);

        ObjectNode job = imported.job();
        assertThat((job == null ? "" : Trees.text(job)) + String.join("\n", imported.comments()))
                .contains(said);
        assertThat(imported.isLost()).isEqualTo(said.startsWith("not carried over"));
    }

    @Test
    void a_native_job_has_its_command_in_its_data() throws IOException {
        Imported imported = read("[{\"TRIGGER_NAME\":\"t\",\"CRON_EXPRESSION\":\"0 0 3 * * ?\","
                        + "\"JOB_CLASS_NAME\":\"org.quartz.jobs.NativeJob\","
                        + "\"JOB_DATA\":\"#x\\ncommand=/opt/x\\nparameters=-a\\\\:b\\n\"}]")
                .get(0);

        assertThat(job(imported).path("command").asText()).isEqualTo("/opt/x -a:b");
    }

    /** As {@code java.util.Properties} writes what is not ASCII, and other separators that it may have. */
    @Test
    void data_is_read_with_the_escapes_of_java() throws IOException {
        Imported imported = read("[{\"TRIGGER_NAME\":\"t\",\"CRON_EXPRESSION\":\"0 0 3 * * ?\","
                        + "\"JOB_CLASS_NAME\":\"org.quartz.jobs.NativeJob\","
                        + "\"JOB_DATA\":\"#x\\ncommand=/opt/b\\\\u00fcro\\nparameters: -a \\\\\\n  -b\\n\"}]")
                .get(0);

        assertThat(job(imported).path("command").asText()).isEqualTo("/opt/b\u00fcro -a -b");
    }

    @Test
    void without_a_command_for_classes_there_is_no_job() throws IOException {
        Imported imported = read(
                        "trigger_name,cron_expression,job_class_name\nt,0 0 3 * * ?,com.example.A\n",
                        new CommandTemplate(null))
                .get(0);

        assertThat(imported.comments().get(1))
                .startsWith("not carried over: it runs the Java class com.example.A, and a job runs a command");
    }
}
