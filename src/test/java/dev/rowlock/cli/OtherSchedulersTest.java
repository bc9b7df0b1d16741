package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as people have them: what becomes of each, what is said of it, and that a node takes it. */
@Tag("database")
class OtherSchedulersTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static final Path INPUTS = Path.of("src/test/resources/dev/rowlock/cli/inputs");

    @TempDir
    Path dir;

    private static Said imported(String input, String... further) {
        String kind = input.replaceFirst("/.*", "");
        List<String> words =
                new ArrayList<>(List.of("import", kind, INPUTS.resolve(input).toString()));
        if (!kind.equals("kubernetes")) {
            words.addAll(List.of("--zone", "Europe/Berlin"));
        }
        if (input.matches("crontab/(?:0[1-4]|1[23])-.*")) {
            words.add("--user-column");
        }
        words.addAll(List.of(further));
        return cli.run(words.toArray(String[]::new));
    }

    static Stream<String> inputs() throws IOException {
        List<String> inputs = new ArrayList<>();
        for (String kind : List.of("crontab", "kubernetes", "systemd")) {
            try (Stream<Path> all = Files.list(INPUTS.resolve(kind))) {
                all.sorted().forEach(file -> inputs.add(kind + "/" + file.getFileName()));
            }
        }
        return inputs.stream();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void what_becomes_jobs_is_taken_by_a_node_and_nothing_is_a_failure(String input) {
        Said said = imported(input);

        if (said.out().contains("\njobs:\n")) {
            assertThat(said.exitCode()).as(said.err()).isZero();
            Said plan = cli.with().input(said.out()).run("plan", "-f", "-");
            assertThat(plan.exitCode()).as(plan.err()).isEqualTo(ExitCode.DIFFERENT);
        } else {
            assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
            assertThat(said.err()).contains("rowlock import ");
        }
    }

    /** Parts are separated by {@code ;;}, and one with an exclamation mark is not there. */
    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            crontab/01-guards.cron       => name: tidy-sessions;;name: check;;name: scrub;;name: scrub-all;;name: collect-stats-1;;name: collect-stats-60;;name: tv-status
            crontab/01-guards.cron       => ends with 1 where its test does not hold
            crontab/02-random-sleep.cron => name: geo-fetch;;name: renew-tls;;name: blocklist-setup
            crontab/03-long-lines.cron   => name: graph-cron;;name: find-dir;;name: find-session;;name: idm-admin;;flock can go
            crontab/03-long-lines.cron   => rowlock rule put
            crontab/04-bsd-system.cron   => schedule: '* * * * *'
            crontab/04-bsd-system.cron   => # line 8: 1 3 * * * root periodic daily;;!?
            crontab/04-bsd-system.cron   => command: /usr/local/bin/no-mail-on-success
            crontab/04-bsd-system.cron   => not carried over: it runs 600 s after the end of the last run
            crontab/05-bsd-random.cron   => not carried over: minutes: "~" stands for a random value elsewhere;;let jitter spread the starts
            crontab/08-user.cron         => name: ping;;name: main;;name: budget;;name: cli;;name: date;;name: tar;;name: ups;;name: shutdown
            crontab/08-user.cron         => cron does not schedule by it
            crontab/08-user.cron         => its outcome is that of logger
            crontab/08-user.cron         => cron cuts the command at the first %;;name: date;;cron cuts the command at the first %;;name: tar
            crontab/09-broken.cron       => did you mean "0 4 * * *", without the quotes?
            crontab/09-broken.cron       => name: 'off'
            crontab/10-with-seconds.cron => seven fields, seconds first: */5 * * * * * *;;six fields: 30 */15 * * * *
            crontab/11-encoding.cron     => # saved on another system;;zone: Etc/GMT+2;;zone: EST
            crontab/11-encoding.cron     => name: resume
            crontab/12-idioms.cron       => schedule: 0 4 * * SUN#1;;schedule: 0 4 * * MON#1;;schedule: 0 * * * *
            crontab/12-idioms.cron       => name: second-saturday;;name: month-end;;name: run;;name: discovery-wrapper;;name: dispatch
            crontab/12-idioms.cron       => ends with 1;;name: second-saturday
            crontab/13-same-program.cron => name: write-queue-state-notify;;name: write-queue-state-activity;;name: write-queue-state-presence
            kubernetes/02-dumper.yaml    => "--database-url=${DATABASE_URL}" "--store=${STORE}/acme";;memory: '512000000';;killGrace: 10m
            kubernetes/02-dumper.yaml    => BOTH ($(STORE)-$(TENANT));;paused: true
            kubernetes/02-dumper.yaml    => pg_dump -h ${DB_HOST} -U app;;memory: 1536MiB
            kubernetes/03-init.yaml      => memory: 16MiB;;pg_dump -h db -F c -f /dump/db.dump;;paused: true
            kubernetes/04-template.yaml  => oc process
            kubernetes/05-never.yaml     => schedule: '@manual';;runs on days that match 31, and on those that match 0
            kubernetes/05-never.yaml     => the same as 0 */48 * * *;;schedule: 0 0 * * *
            kubernetes/05-never.yaml     => zone: America/New_York;;schedule: '@every 5400s';;name: no-name
            kubernetes/06-shell.yaml     => "set -euo pipefail\\nTOKEN;;!seems to have a password
            kubernetes/06-shell.yaml     => spec.podFailurePolicy;;user: '1000'
            kubernetes/07-image-only.yaml => not carried over: the image
            kubernetes/08-chart.yaml     => helm template
            kubernetes/10-users.yaml     => user: '2000';;!1000
            kubernetes/10-users.yaml     => securityContext.runAsGroup
            systemd/01-backup            => --who=nightly --what=sleep:shutdown '--why=Do not interrupt';;'--label=ab cd'
            systemd/01-backup            => ConditionACPower=true, which decides whether it runs
            systemd/01-backup            => an alert rule tells of failures
            systemd/02-scrub             => not carried over: it is a template
            systemd/03-refresh           => user: nobody;;successExitCodes: [0, 2, 75];;!user: root
            systemd/05-apt               => killGrace: 10m;;/usr/bin/test -f /etc/packages.conf || exit 0
            systemd/06-renew             => Requires=vpn.service;;schedule: '@every 1d'
            systemd/06-renew             => jitter: 1d
            systemd/07-quarterly         => jitter: 1d;;user: '1000';;the limit of memory, 50%;;timeout: 1d12h;;!user: root
            systemd/09-spans             => RandomizedDelaySec=500ms, as jitter is a second at least;;!jitter:
            """)
    void each_kind_is_carried_over_or_said(String input, String parts) {
        Said said = imported(input);
        String all = said.out() + said.err();

        for (String part : parts.split(";;", -1)) {
            if (part.startsWith("!")) {
                assertThat(all).doesNotContain(part.substring(1));
            } else {
                assertThat(all).contains(part.replace("\\\"", "\""));
            }
        }
    }

    @Test
    void what_cron_does_is_said_at_the_top_and_can_be_had() {
        assertThat(imported("crontab/08-user.cron").out())
                .contains("overlap: SKIP", "misfire: RUN_ONCE", "onLost: RERUN", "background")
                .doesNotContain("\n  overlap: ");
        assertThat(imported("crontab/08-user.cron", "--like-cron").out())
                .contains("\n  overlap: ALLOW\n", "\n  misfire: SKIP\n", "\n  onLost: FAIL\n");
    }

    @Test
    void one_line_in_another_encoding_stops_nothing_else() throws IOException {
        Path file = Files.write(
                dir.resolve("tab"),
                "# T\u00e4glich\n0 3 * * * /bin/fine\n0 4 * * * /bin/caf\u00e9\n"
                        .getBytes(StandardCharsets.ISO_8859_1));

        Said said = cli.run("import", "crontab", file.toString());

        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("name: fine", "not carried over: it is no text in UTF-8");
        assertThat(said.err()).contains("1 job; 1 entry is not carried over");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            crontab    => # nothing                        => no line of a crontab was found
            systemd    => [Timer]\\nOnCalendar=daily       => no timer was recognized
            systemd    => # see also y.timer\\n[Timer]     => no timer was recognized
            kubernetes => {kind: Pod, metadata: {name: x}} => no CronJob was found
            quartz     => [{"a": 1}]                       => no trigger was found
            xxl-job    => [{"a": 1}]                       => no job was found
            """)
    void nothing_found_is_a_failure_that_says_why(String kind, String text, String why) {
        Said said = cli.with().input(text.replace("\\n", "\n")).run("import", kind, "-");

        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).contains(why);
    }

    @Test
    void a_forgotten_column_for_the_user_is_a_warning() {
        Said said = cli.with()
                .input("0 3 * * * root /bin/a\n0 4 * * * nobody /bin/b\n")
                .run("import", "crontab", "-");

        assertThat(said.err()).contains("warning: each command of standard input begins with a user", "--user-column");
    }

    @Test
    void the_same_command_on_several_lines_is_one_job_and_that_is_said_at_the_top() {
        Said said = cli.with()
                .input("0 3 * * * /bin/a x\n# twice\n0 4 * * * /bin/a x\n0 5 * * * /bin/a y\n")
                .run("import", "crontab", "-");

        assertThat(said.out())
                .containsSubsequence(
                        "# Lines with the very same command are one job of several schedules",
                        "# and overlap holds for all of them together",
                        "jobs:\n",
                        "# line 1: 0 3 * * * /bin/a x\n  # twice\n  # line 3: 0 4 * * * /bin/a x\n",
                        "name: a-x\n",
                        "schedule:\n      - 0 3 * * *\n      - 0 4 * * *\n",
                        "name: a-y\n");
        assertThat(said.err()).contains("2 jobs");
    }

    @Test
    void lines_that_differ_in_more_than_their_times_stay_jobs_of_their_own() {
        Said said = cli.with()
                .input("0 3 * * * /bin/a x\nA=1\n0 4 * * * /bin/a x\n0 3 * * * /bin/b\n0 3 * * * /bin/b\n")
                .run("import", "crontab", "-");

        assertThat(said.out())
                .containsSubsequence("name: a\n", "the same command as that of a", "name: a-2\n")
                .containsSubsequence("name: b\n", "the same command as that of b", "name: b-2\n")
                .doesNotContain("Lines with the very same command");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            MYSQL_PWD=hunter2\\n0 3 * * * /bin/a                     => looks like a password;;MYSQL_PWD
            MYSQL_PWD=hunter2\\n0 3 * * * /bin/a\\n0 4 * * * /bin/b      => stands here in plain text: MYSQL_PWD;;name: b
            0 0 L * * /x                                             => cron itself knows no L, W, # and ?
            @every 5m /x                                             => cron knows no @every; as a schedule of a job, write @every 5m
            API_TOKEN=x\\nTOKEN_FILE=/y\\n0 3 * * * /bin/a           => in plain text: API_TOKEN;
            0 3 * * * curl -u me:hunter2 http://x/                   => seems to have a password
            0 3 * * * curl -u "$WHO" http://x/                       => !password
            0 3 * * * mysqldump -phunter2 shop                       => seems to have a password
            0 3 * * * mysqldump shop | gzip >/b.gz                   => its outcome is that of gzip
            0 3 * * * set -o pipefail; mysqldump shop | gzip >/b.gz  => !its outcome
            0 3 * * * if ps ax | grep -q x; then y; fi               => !its outcome
            0 3 * * * [ -x /x ] && /x || true                        => !ends with 1
            0 3 * * * [ -x /x ] && /x; /y                            => !ends with 1
            0 3 * * * [ -x /x ] && { /x; /y; }                       => ends with 1
            0 3 * * * /x >/dev/null 2>&1                             => output that goes to /dev/null is missing
            0 3 * * * /x 2>&1 >>/var/log/x                           => !/dev/null
            0 3 * * * command -v x >/dev/null && x                   => !output that goes
            0 3 * * * /etc/init.d/x restart                          => killed when it ends (/etc/init.d/x)
            0 3 * * * nohup /x &                                     => killed when it ends (nohup)
            0 3 * * * ssh -f host cmd                                => killed when it ends (ssh)
            0 5 */2 * 1 /x                                           => [ "$(date +%u)" = 1 ]
            CRON_TZ=UTC+3\\n0 3 * * * /x                             => zone: Etc/GMT+3
            CRON_TZ=JST-9\\n0 3 * * * /x                             => zone: Etc/GMT-9
            RANDOM_DELAY=2000\\n0 3 * * * /x                         => jitter: 1d
            ROWLOCK_X=1\\n0 3 * * * /x                               => left out: env.ROWLOCK_X;;paused: true
            0 */24 * * * /x                                          => schedule: 0 0 * * *
            0/60 * * * * /x                                          => schedule: 0 * * * *
            """)
    void a_line_is_carried_over_with_what_has_to_be_known(String lines, String parts) {
        Said said = cli.with().input(lines.replace("\\n", "\n") + "\n").run("import", "crontab", "-", "--zone", "UTC");

        String body = said.out().replaceFirst("(?s)^(?:# .*?\n)+", "");
        for (String part : parts.split(";;", -1)) {
            if (part.startsWith("!")) {
                assertThat(body).doesNotContain(part.substring(1));
            } else {
                assertThat(body).contains(part);
            }
        }
    }

    @Test
    void units_of_directories_are_as_systemd_takes_them() throws IOException {
        Path lib = Files.createDirectories(dir.resolve("lib"));
        Path etc = Files.createDirectories(dir.resolve("etc/timers.target.wants"));
        for (String name : List.of("a", "b", "dump@")) {
            Files.writeString(lib.resolve(name + ".timer"), "[Timer]\nOnCalendar=daily\n");
            Files.writeString(lib.resolve(name + ".service"), "[Service]\nExecStart=/bin/x %i\n");
        }
        Files.createSymbolicLink(dir.resolve("etc/a.timer"), Path.of("/dev/null"));
        Files.createSymbolicLink(etc.resolve("dump@main.timer"), lib.resolve("dump@.timer"));
        Files.createSymbolicLink(lib.resolve("alias.timer"), lib.resolve("b.timer"));

        Said said =
                cli.run("import", "systemd", lib.toString(), dir.resolve("etc").toString());

        assertThat(said.out())
                .contains("a.timer is masked", "name: b\n", "name: dump-main\n", "/bin/x main")
                .doesNotContain("name: a\n", "alias");
    }
}
