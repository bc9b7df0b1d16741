package dev.rowlock.cli.systemd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.output.Trees;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What timers and their services become. */
class TimerImportTest {

    private static List<Imported> read(String text) {
        return read(text, false);
    }

    private static List<Imported> read(String text, boolean isShadow) {
        ImportText to = new ImportText("default", isShadow);
        to.begin("x");
        new TimerImport("Europe/Berlin", false, Set.of()).read(text, to);
        to.finish();
        return to.items();
    }

    private static String timer(String lines) {
        return "# /etc/systemd/system/x.timer\n[Timer]\n" + lines.replace(";;", "\n") + "\n";
    }

    private static String service(String lines) {
        return "# /etc/systemd/system/x.service\n[Service]\n" + lines.replace(";;", "\n") + "\n";
    }

    private static ObjectNode job(Imported imported) {
        return Objects.requireNonNull(imported.job(), () -> imported.comments().toString());
    }

    @Test
    void a_timer_with_its_service_becomes_a_job() {
        List<Imported> all = read("""
                # /usr/lib/systemd/system/backup.timer
                [Unit]
                Description=Nightly backup

                [Timer]
                OnCalendar=*-*-* 03:00
                RandomizedDelaySec=30min
                Persistent=true
                AccuracySec=1h

                # /usr/lib/systemd/system/backup.service
                [Service]
                Type=oneshot
                User=nobody
                ExecStart=/usr/bin/old
                ProtectSystem=strict
                # /etc/systemd/system/backup.service.d/own.conf
                [Service]
                User=backup
                ExecStart=
                ExecStart=/usr/bin/backup --to ${TARGET} \\
                  "two words"
                Environment=TARGET=/srv "NOTE=it is \\"ours\\"" A=1
                EnvironmentFile=-/etc/default/backup
                WorkingDirectory=/srv
                UMask=0027
                Nice=10
                TimeoutStartSec=1h 30min
                """);

        assertThat(all).hasSize(1);
        assertThat(Trees.text(job(all.get(0)))).isEqualTo(Trees.text(Trees.json("""
                {"name": "backup", "description": "Nightly backup", "schedule": "0 0 3 * * *", "zone": "Europe/Berlin",
                 "jitter": "30m", "misfire": "RUN_ONCE", "user": "backup", "workdir": "/srv",
                 "env": {"TARGET": "/srv", "NOTE": "it is \\"ours\\"", "A": "1"},
                 "umask": "0027", "nice": 10, "timeout": "1h30m",
                 "command": "set -a; [ ! -r /etc/default/backup ] || . /etc/default/backup; set +a\\n/usr/bin/backup --to \\"${TARGET}\\" 'two words'"}
                """)));
        assertThat(all.get(0).comments())
                .containsExactly(
                        "backup.timer: OnCalendar=*-*-* 03:00",
                        "RandomizedDelaySec becomes jitter: a delay of its own for each job, the same each time",
                        "AccuracySec=1h is left out: a run starts at its fire time",
                        "/etc/default/backup is read by the shell, and has to be on each node; systemd takes its values"
                                + " literally",
                        "left out, so that the command may do more here than there: ProtectSystem");
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            /bin/x a b                            => /bin/x a b
            /bin/x *.txt ~ a;b                    => /bin/x '*.txt' '~' 'a;b'
            /bin/x 'a b' "c'd"                    => /bin/x 'a b' 'c'\\''d'
            /bin/sh -c 'echo "$$HOME" | wc'       => /bin/sh -c "echo \\"\\$HOME\\" | wc"
            /bin/x ${A} $B a${A}b a$B             => /bin/x "${A}" $B "a${A}b" "a\\$B"
            /bin/x \\x a\\sb                      => /bin/x '\\x' 'a b'
            -/bin/x                               => { /bin/x || true; }
            :/bin/x ${A}                          => /bin/x '${A}'
            /bin/x ; /bin/y                       => /bin/x && /bin/y
            /bin/x \\; y                          => /bin/x ';' y
            @/bin/x name a                        => /bin/x a
            /bin/x 100%%                          => /bin/x 100%
            /bin/x %n %p                          => /bin/x x.service x
            """)
    void a_command_line_is_one_for_a_shell(String exec, String command) {
        Imported imported = read(timer("OnCalendar=daily") + service("ExecStart=" + exec.replace("\\\\", "\\")))
                .get(0);

        assertThat(job(imported).path("command").asText()).isEqualTo(command.replace("\\\\", "\\"));
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            OnBootSec=5min                          => not carried over: it counts from the start of a host
            OnBootSec=5min;;OnUnitActiveSec=1h      => counts from fire time to fire time
            OnCalendar=Mon *-*-13                   => not carried over: systemd runs it on days that match both
            OnCalendar=*-02-30                      => not carried over: the expression "0 0 0 30 2 *" never matches
            OnCalendar=daily;;Unit=y.service        => not carried over: y.service is not among what was read
            OnCalendar=daily;;OnBootSec=5min        => left out, as it counts from the start of a host or of a unit: OnBootSec=5min
            OnCalendar=daily;;WakeSystem=true       => left out, as a job has no such thing: WakeSystem
            """)
    void what_a_job_cannot_have_is_said(String timer, String remark) {
        List<Imported> all = read(timer(timer) + service("ExecStart=/bin/x"));

        assertThat(String.join("\n", all.get(0).comments())).contains(remark);
        assertThat(all.get(0).isLost()).isEqualTo(remark.startsWith("not carried"));
    }

    @Test
    void a_timer_with_several_times_is_one_job_of_several_schedules() {
        List<Imported> all = read(timer("OnCalendar=daily;;OnCalendar=Mon 04:00 Asia/Tokyo;;OnCalendar=daily")
                + service("ExecStart=/bin/x"));

        assertThat(all).hasSize(1);
        assertThat(Trees.text(job(all.get(0)))).isEqualTo(Trees.text(Trees.json("""
                {"name": "x", "schedule": ["0 0 0 * * *", {"schedule": "0 0 4 * * MON", "zone": "Asia/Tokyo"}],
                 "zone": "Europe/Berlin", "misfire": "SKIP", "user": "root", "workdir": "/",
                 "command": "/bin/x"}
                """)));
        assertThat(all.get(0).comments())
                .startsWith("x.timer: OnCalendar=daily", "x.timer: OnCalendar=Mon 04:00 Asia/Tokyo");
    }

    @Test
    void a_time_that_is_no_schedule_does_not_keep_the_others_from_being_one() {
        List<Imported> all =
                read(timer("OnCalendar=daily;;OnCalendar=*-02-30;;OnCalendar=weekly") + service("ExecStart=/bin/x"));

        assertThat(all).extracting(Imported::isLost).containsExactly(false, true);
        assertThat(job(all.get(0)).path("schedule")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            User=7                                  => "user":"7"
            RuntimeMaxSec=90                        => "timeout":"1m30s"
            Type=oneshot;;TimeoutStartSec=infinity  => "workdir":"/"
            TimeoutStopSec=5s                       => "killGrace":"5s"
            SuccessExitStatus=1 2 SIGTERM           => "successExitCodes":[0,1,2]
            Type=oneshot;;TimeoutStartSec=1.5h      => "timeout":"1h30m"
            SuccessExitStatus=TEMPFAIL NOTRUNNING   => "successExitCodes":[0,75,7]
            DynamicUser=yes                         => "user":"nobody"
            User=app;;DynamicUser=yes               => "user":"nobody"
            Environment="MSG=say \\"hi\\"" B='c d'   => "env":{"MSG":"say \\"hi\\"","B":"c d"}
            Environment=A=b"c d"e                   => "env":{"A":"bc de"}
            Nice=30                                 => "nice":19
            MemoryMax=4M                            => "limits":{"memory":"16MiB"}
            MemoryMax=1.5G                          => "limits":{"memory":"1610612736"}
            LimitNOFILE=2097152                     => "limits":{"openFiles":1048576}
            LimitNOFILE=1024:4096                   => "limits":{"openFiles":1024}
            MemoryMax=1G                            => "limits":{"memory":"1GiB"}
            ExecStartPre=-/bin/a                    => "command":"{ /bin/a || true; } && /bin/x"
            WorkingDirectory=-/opt                  => "workdir":"/opt"
            """)
    void a_setting_of_the_service_is_one_of_the_job(String line, String field) {
        Imported imported = read(timer("OnCalendar=daily") + service(line + ";;ExecStart=/bin/x"))
                .get(0);

        assertThat(Trees.text(job(imported))).contains(field);
    }

    @Test
    void an_instance_has_the_service_of_its_template() {
        List<Imported> all = read("""
                # /etc/systemd/system/dump@.timer
                [Timer]
                OnCalendar=daily
                # /etc/systemd/system/dump@db-1.timer
                [Timer]
                OnCalendar=daily
                # /etc/systemd/system/dump@.service
                [Service]
                ExecStart=/bin/dump %i
                """);

        assertThat(all).hasSize(1);
        assertThat(job(all.get(0)).path("command").asText()).isEqualTo("/bin/dump db-1");
        assertThat(job(all.get(0)).path("name").asText()).isEqualTo("dump-db-1");
    }

    @Test
    void a_shadow_needs_no_command() {
        Imported imported = read(timer("OnCalendar=daily"), true).get(0);

        assertThat(job(imported).path("stdin").asText()).startsWith("# x.service is not among what was read");
    }
}
