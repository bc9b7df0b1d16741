package dev.rowlock.cli.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.output.Trees;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rows of xxl_job_info become. */
class XxlJobImportTest {

    private static List<Imported> read(String rows) throws IOException {
        ImportText text = new ImportText("default", false);
        text.begin("x");
        new XxlJobImport("Asia/Shanghai", new CommandTemplate("call {handler} {param}"))
                .read(TableText.read(rows), text);
        text.finish();
        return text.items();
    }

    private static ObjectNode job(Imported imported) {
        return Objects.requireNonNull(imported.job(), () -> imported.comments().toString());
    }

    @Test
    void rows_of_a_csv_become_jobs() throws IOException {
        List<Imported> all = read("""
                id,job_desc,schedule_type,schedule_conf,misfire_strategy,executor_route_strategy,executor_handler,executor_param,executor_block_strategy,executor_timeout,executor_fail_retry_count,glue_type,glue_source,child_jobid,trigger_status,alarm_email
                7,Clean up,CRON,0 0 3 ? * 2,DO_NOTHING,FIRST,,all,SERIAL_EXECUTION,60,2,GLUE_SHELL,"#!/bin/bash
                echo ""$1""
                ",,1,a@b.c
                8,报表,FIX_RATE,30,FIRE_ONCE_NOW,SHARDING_BROADCAST,report,a b,COVER_EARLY,0,0,BEAN,NULL,9,0,
                """);

        assertThat(all).hasSize(2);
        assertThat(Trees.text(job(all.get(0)))).isEqualTo(Trees.text(Trees.json("""
                {"name": "Clean-up", "description": "Clean up", "schedule": "0 0 3 ? * MON", "zone": "Asia/Shanghai",
                 "misfire": "SKIP", "overlap": "QUEUE", "timeout": "60s", "retry": {"max": 2, "backoff": "1s"},
                 "onLost": "RERUN",
                 "command": "set -- all 0 1\\n#!/bin/bash\\necho \\"$1\\"\\n"}
                """)));
        assertThat(Trees.text(job(all.get(1)))).isEqualTo(Trees.text(Trees.json("""
                {"name": "report", "description": "报表", "schedule": "@every 30s", "misfire": "RUN_ONCE",
                 "overlap": "REPLACE", "onLost": "FAIL", "broadcast": true, "command": "call report 'a b'", "paused": true}
                """)));
        assertThat(all.get(1).comments())
                .containsExactly(
                        "job 8 (报表): FIX_RATE 30",
                        "a broadcast, too, but no run is told its shard, so that each would do all of the work: let the"
                                + " command choose its part by ROWLOCK_NODE",
                        "left out: it starts 9 when it succeeded; the command may do so itself, as in && rowlock job"
                                + " run",
                        "paused, as it lacks something: rowlock job resume starts it");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            "schedule_type":"NONE","glue_type":"GLUE_SHELL","glue_source":"true"    => "schedule":"@manual"
            "schedule_type":"FIX_DELAY","schedule_conf":"9","glue_type":"BEAN"      => counts from fire time to fire time
            "job_cron":"0 0/5 * * * ?","glue_type":"BEAN"                           => "schedule":"0 0/5 * * * ?"
            "job_cron":"0 0 0 30 2 ?","glue_type":"BEAN"                            => not carried over: the expression "0 0 0 30 2 ?" never matches
            "schedule_type":"NONE","glue_type":"GLUE_PYTHON","glue_source":"print(1)" => "command":"python3 - '' 0 1","stdin":"print(1)"
            "schedule_type":"NONE","glue_type":"GLUE_GROOVY","glue_source":"x"      => not carried over: it is a script of the type GLUE_GROOVY
            "schedule_type":"FIX_RATE","schedule_conf":"9","glue_type":"BEAN","executor_fail_retry_count":500 => "max":100
            "schedule_type":"FIX_RATE","schedule_conf":"9","glue_type":"BEAN","author":"ann" => author: ann
            "schedule_type":"FIX_RATE","schedule_conf":"9","glue_type":"BEAN","tenant_id":7 => left out, as a job has no such thing: tenant_id
            "schedule_type":"FIX_RATE","schedule_conf":"9","glue_type":"GLUE_SHELL","glue_source":"a | b" => its outcome is that of b
            "schedule_type":"NONE","glue_type":"BEAN","executor_block_strategy":"DISCARD_LATER" => "overlap":"SKIP"
            "schedule_type":"NONE","glue_type":"BEAN"                               => "name":"xxl-job-1"
            """)
    void a_row_means_this(String columns, String said) throws IOException {
        Imported imported = read("[{\"id\": 1, " + columns + "}]").get(0);

        ObjectNode job = imported.job();
        assertThat((job == null ? "" : Trees.text(job)) + String.join("\n", imported.comments()))
                .contains(said);
        assertThat(imported.isLost()).isEqualTo(said.startsWith("not carried over"));
    }
}
