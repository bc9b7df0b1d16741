package dev.rowlock.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.nodes.Until;
import dev.rowlock.yaml.Located;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the lines of a crontab become, and that a node takes it. */
@Tag("database")
class ImportTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    Path dir;

    private static final String SYSTEM = """
            # /etc/crontab: system-wide crontab
            SHELL=/bin/bash
            PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin
            MAILTO=ops@example.com

            # m h dom mon dow user\tcommand
            17 *\t* * *\troot\tcd / && run-parts --report /etc/cron.hourly
            # the whole store
            -5 3  * * 1-5  backup  /usr/local/bin/backup --to "$HOME/$(date +\\%F)"
            0 0 1,15 * 1   root    nice -n 10 /opt/report.sh
            0 0 */2 * TUE  root    /opt/odd
            @reboot        root    /opt/warm-up
            CRON_TZ=America/New_York
            0 9 * * *      www-data mail -s hello a@b.c%Hello,%%100\\% yours
            10~40 2 * * *  www-data /opt/report.sh --all
            30-10 * * * *  www-data never
            * * * *        www-data
            """;

    @Test
    void a_crontab_becomes_jobs_and_says_what_differs() {
        Said said = cli.with()
                .input(SYSTEM)
                .run("import", "crontab", "-", "--user-column", "-n", "ops", "--zone", "Europe/Berlin");

        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEqualTo("5 jobs; 4 entries are not carried over: the comments say why\n");
        assertThat(said.out()).isEqualTo("""
                        # From standard input. On each host cron runs these by itself; here each runs on one node, unless it says broadcast.
                        # What is due while a run lasts is skipped (overlap: SKIP); what was missed is made up for once (misfire: RUN_ONCE); a run
                        # whose node died starts again on another (onLost: RERUN). cron starts it beside the other, forgets it, and leaves it:
                        # --like-cron writes overlap: ALLOW, misfire: SKIP, onLost: FAIL.
                        # What a command leaves in the background is killed when it ends. Commands get neither /etc/environment nor limits.conf.
                        defaults:
                          namespace: ops
                          shell: bash
                          env:
                            PATH: /usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin
                        jobs:
                          # /etc/crontab: system-wide crontab
                          # line 4: MAILTO=ops@example.com
                          # mails nothing: output and outcome of each run are kept (rowlock task logs); an alert rule tells people of failures (rowlock channel put, rowlock rule put)
                          # m h dom mon dow user command
                          # line 7: 17 * * * * root cd / && run-parts --report /etc/cron.hourly
                          # cron does this on every host, and so does broadcast; a job for each script has a history of its own
                          - name: cron.hourly
                            schedule: 17 * * * *
                            zone: Europe/Berlin
                            command: cd / && run-parts --report /etc/cron.hourly
                            user: root
                            broadcast: true
                          # the whole store
                          # line 9: -5 3 * * 1-5 backup /usr/local/bin/backup --to "$HOME/$(date +\\%F)"
                          - name: backup
                            schedule: 5 3 * * 1-5
                            zone: Europe/Berlin
                            command: /usr/local/bin/backup --to "$HOME/$(date +%F)"
                            user: backup
                          # line 10: 0 0 1,15 * 1 root nice -n 10 /opt/report.sh
                          # runs on days that match 1,15, and on those that match 1: cron does the same
                          - name: report
                            schedule: 0 0 1,15 * 1
                            zone: Europe/Berlin
                            command: nice -n 10 /opt/report.sh
                            user: root
                          # line 11: 0 0 */2 * TUE root /opt/odd
                          # not carried over: cron runs it on days that match both */2 and TUE, as one of them begins with a star; here either would do. Put * in place of TUE and let the command test it: if [ "$(date +%u)" = 2 ]; then …; fi
                          # line 12: @reboot root /opt/warm-up
                          # not carried over: a cluster has no single start; use a systemd unit of the host (WantedBy=multi-user.target)
                          # line 14: 0 9 * * * www-data mail -s hello a@b.c%Hello,%%100\\% yours
                          - name: mail
                            schedule: 0 9 * * *
                            zone: America/New_York
                            command: mail -s hello a@b.c
                            stdin: |
                              Hello,

                              100% yours
                            user: www-data
                          # line 15: 10~40 2 * * * www-data /opt/report.sh --all
                          # the minute is chosen by jitter, the same each time
                          - name: report-all
                            schedule: 10 2 * * *
                            zone: America/New_York
                            jitter: 30m
                            command: /opt/report.sh --all
                            user: www-data
                          # line 16: 30-10 * * * * www-data never
                          # not carried over: minutes: "30-10" runs backwards; write 10-30, or two ranges: 30-59,0-10
                          # line 17: * * * * www-data
                          # not carried over: it has too few fields for the format with a user
                        """);
    }

    /** To find what comes last in a path must not begin again at each of its characters. */
    @Test
    @Timeout(60)
    void a_very_long_word_takes_no_longer_than_others() {
        Said said = cli.with()
                .input("0 3 * * * " + "x".repeat(60_000) + "\n0 4 * * * " + "/".repeat(60_000) + "\n")
                .run("import", "crontab", "-");

        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).startsWith("2 jobs");
    }

    @Test
    void each_job_says_that_its_zone_is_not_the_one_that_was_meant() {
        Said said = cli.with()
                .input("CRON_TZ=Nowhere/City\n0 3 * * * one\nCRON_TZ=Asia/Tokyo\n0 3 * * * two\n")
                .run("import", "crontab", "-", "--zone", "Europe/Berlin");

        assertThat(said.out())
                .containsSubsequence(
                        "CRON_TZ=Nowhere/City is no time zone: this is in Europe/Berlin",
                        "name: one",
                        "zone: Europe/Berlin",
                        "name: two",
                        "zone: Asia/Tokyo")
                .containsOnlyOnce("this is in");
    }

    @Test
    void a_node_takes_what_was_imported() throws IOException {
        Path cronD = Files.createDirectories(dir.resolve("cron.d"));
        Path file = Files.writeString(cronD.resolve("all"), SYSTEM);
        Path own = Files.writeString(dir.resolve("own"), "HOME=/srv\n@daily clean-up\n");

        Said said = cli.run("import", "crontab", file.toString(), own.toString(), "--user", "www");

        List<Located> jobs = JobFiles.parse("x", said.out());
        assertThat(jobs).hasSize(6);
        JsonNode cleanUp = jobs.get(5).tree();
        assertThat(cleanUp.path("workdir").asText()).isEqualTo("/srv");
        assertThat(cleanUp.path("user").asText()).isEqualTo("www");
        assertThat(cleanUp.path("shell").asText()).isEqualTo("sh");
        Said plan = cli.with().input(said.out()).run("plan", "-f", "-", "-o", "json");
        assertThat(plan.exitCode()).as(plan.err()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(plan.json().path("summary").path("create").asInt()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            /usr/local/bin/backup.sh --full => backup
            test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; } => cron.daily
            [ -x /opt/x ] && /opt/x -q >/dev/null 2>&1 => x
            cd /srv/app && php artisan schedule:run => artisan
            A=1 B='2 3' /usr/bin/env python3 /opt/sync.py => sync
            flock -n /var/lock/import /opt/import => import
            timeout 1h bash -c "/opt/long run" => long
            nice -n 19 ionice -c3 /usr/bin/find /tmp -delete => find
            sudo -u www /srv/bin/cron.php => cron
            echo "a b" | mail x => echo
            $HOME/bin/x => x
            `PYTHON=/opt/py; $PYTHON /srv/manage.py go` => manage
            for x in a b; do /opt/each $x; done => each
            su - www -c '/srv/bin/tell all' => tell
            python3 -m backup.daily => backup.daily
            """)
    void a_job_is_called_after_its_program(String command, String name) {
        Said said = cli.with().input("0 3 * * * " + command + "\n").run("import", "crontab", "-");

        assertThat(JobFiles.parse("x", said.out()).get(0).tree().path("name").asText())
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "import crontab,                   2, '--system, or --user NAME'",
        "import crontab - --zone Berlin,   2, is not a time zone",
        "import crontab /no/such/file,     1, '/no/such/file cannot be read: there is no such file\n'",
        "import crontab --user nobody-here, 1, crontab -l -u nobody-here | rowlock import crontab -",
        "import crontabs -,                2, did you mean crontab?",
    })
    void what_cannot_be_read_is_said(String line, int exitCode, String why) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.exitCode()).isEqualTo(exitCode);
        assertThat(said.err()).contains(why);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void a_column_for_the_user_that_was_not_named_is_pointed_out() {
        String text = "17 * * * * root run-parts /etc/cron.hourly\n18 * * * * rooted\n";

        assertThat(cli.with().input(text).run("import", "crontab", "-").out())
                .containsOnlyOnce("# if root is the user that runs it, import with --user-column");
        assertThat(cli.with()
                        .input(text)
                        .run("import", "crontab", "-", "--user-column")
                        .out())
                .doesNotContain("--user-column");
    }

    private static final String TIMERS = """
            # /etc/systemd/system/tidy.timer
            [Timer]
            OnCalendar=*-*~1 04:00
            # /etc/systemd/system/tidy.service
            [Service]
            Type=oneshot
            ExecStart=/opt/tidy
            """;

    private static final String EVERY_SECOND = """
            kind: CronJob
            metadata: {name: often}
            spec:
              schedule: "@every 1s"
              jobTemplate: {spec: {backoffLimit: 0, template: {spec: {containers: [{image: x, command: [/no/such, file]}]}}}}
            """;

    @Test
    void timers_of_a_directory_become_jobs() throws IOException {
        Path units = Files.createDirectories(dir.resolve("units"));
        Files.writeString(units.resolve("tidy.timer"), "[Timer]\nOnCalendar=weekly\n");
        Files.writeString(units.resolve("tidy.service"), "[Service]\nUser=tidy\nExecStart=/opt/tidy\n");
        Path dropped = Files.createDirectories(units.resolve("tidy.timer.d"));
        Files.writeString(dropped.resolve("when.conf"), "[Timer]\nOnCalendar=\nOnCalendar=daily\n");

        Said said = cli.run("import", "systemd", units.toString(), "--zone", "UTC");

        assertThat(said.exitCode()).as(said.err()).isZero();
        JsonNode job = JobFiles.parse("x", said.out()).get(0).tree();
        assertThat(job.path("schedule").asText()).isEqualTo("0 0 0 * * *");
        assertThat(job.path("user").asText()).isEqualTo("tidy");
        assertThat(cli.with().input(said.out()).run("plan", "-f", "-").exitCode())
                .isEqualTo(ExitCode.DIFFERENT);
    }

    @Test
    void only_apply_changes_something() {
        assertThat(cli.with()
                        .input(TIMERS)
                        .run("import", "systemd", "-", "-n", "timers")
                        .exitCode())
                .isZero();
        assertThat(cli.run("job", "list", "-n", "timers", "-o", "name").out()).isEmpty();

        Said would = cli.with().input(TIMERS).run("import", "systemd", "-", "-n", "timers", "--apply", "--dry-run");
        assertThat(would.exitCode()).as(would.err()).isZero();
        assertThat(would.out()).contains("timers/tidy");
        assertThat(cli.run("job", "list", "-n", "timers", "-o", "name").out()).isEmpty();

        Said applied = cli.with().input(TIMERS).run("import", "systemd", "-", "-n", "timers", "--apply");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(applied.err()).contains("1 job\n", "1 created");
        assertThat(cli.json("job", "get", "timers/tidy").path("command").asText())
                .isEqualTo("/opt/tidy");

        Said other = cli.with()
                .input(TIMERS.replace("/opt/tidy", "/opt/other"))
                .run("import", "systemd", "-", "-n", "timers", "--apply");
        assertThat(other.exitCode()).as("what is there is not changed unseen").isEqualTo(2);
        assertThat(cli.json("job", "get", "timers/tidy").path("command").asText())
                .isEqualTo("/opt/tidy");
    }

    @Test
    void entries_and_comments_are_json_for_programs() {
        Said said = cli.with().input(TIMERS + "[Timer]\n").run("import", "systemd", "-", "-n", "x", "-o", "json");

        assertThat(said.json()).hasSize(1);
        assertThat(said.json().path(0).path("job").path("namespace").asText()).isEqualTo("x");
        assertThat(said.json().path(0).path("comments").path(0).asText()).startsWith("tidy.timer: OnCalendar=");
    }

    @Test
    void shadows_run_nothing_and_are_compared_with_a_log() throws Exception {
        Said made =
                cli.with().input(EVERY_SECOND).run("import", "kubernetes", "-", "-n", "shadows", "--shadow", "--apply");
        assertThat(made.exitCode()).as(made.err()).isZero();
        List<String> times = ended("shadows/often", 4);
        assertThat(cli.run("job", "pause", "shadows/often").exitCode()).isZero();
        times = ended("shadows/often", times.size());
        JsonNode task = cli.json("history", "shadows/often", "--limit", "1")
                .path("items")
                .path(0);
        assertThat(task.path("outcome").asText()).isEqualTo("SUCCEEDED");
        assertThat(cli.run("task", "logs", task.path("id").asText()).out()).isEqualTo("/no/such file");

        String log = String.join(" /no/such  file\n", times) + " shadows/often\n";
        Said same = cli.with().input(log).run("shadow", "report", "-", "--tolerance", "100ms");
        assertThat(same.exitCode()).as(same.out() + same.err()).isZero();
        assertThat(same.out()).containsPattern("shadows/often +" + times.size() + " +0 +- +0 +-");

        String other = log.replaceFirst(
                "(?s)(.*?\n).*?\n", "$1" + times.get(1).replaceFirst("\\.[0-9]+Z", ".500Z") + " often\n");
        Said differs = cli.with()
                .input(other + times.get(0) + " stranger\n")
                .run("shadow", "report", "-", "--tolerance", "100ms", "-o", "json");
        assertThat(differs.exitCode()).as(differs.out()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(differs.json().path("items").path(0).path("onlyLogged").asInt())
                .isEqualTo(1);
        assertThat(differs.json().path("items").path(0).path("onlyHere").asInt())
                .isEqualTo(1);
        assertThat(differs.err()).contains("1 starts in the log are of nothing that has a shadow, such as: stranger");
    }

    /** The fire times of what has ended, when there are so many at least, in order. */
    private static List<String> ended(String job, int least) throws Exception {
        JsonNode items = Until.is(Duration.ofSeconds(60), least + " tasks of " + job + " that have ended", () -> {
            JsonNode found = cli.json("history", job).path("items");
            return found.size() < least ? null : found;
        });
        return items.findValuesAsText("fireTime").stream().sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({
        "import systemd,                   2, 'a directory, - for standard input, or --system'",
        "import systemd /no/such,          1, '/no/such cannot be read: there is no such file\n'",
        "import kubernetes,                2, missing required parameter",
        "import quartz,                    2, missing required parameter",
        "import quartz jdbc:oracle:x,      2, export the tables as CSV or JSON",
        "import xxl-job /no/such,          1, /no/such cannot be read",
        "shadow report /no/such,           3, '/no/such cannot be read: there is no such file\n'",
        "shadow report -,                  3, the log says of nothing when it started",
    })
    void what_cannot_be_imported_is_said(String line, int exitCode, String why) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.err()).contains(why);
        assertThat(said.exitCode()).isEqualTo(exitCode);
        assertThat(said.out()).isEmpty();
    }
}
