package dev.rowlock.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What logs of other schedulers say, and how starts and fire times are put together. */
class ShadowLogTest {

    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static List<ShadowLog.LoggedStart> read(String line) {
        ShadowLog log = new ShadowLog(ZoneId.of("Europe/Berlin"), NOW);
        log.read(line);
        return log.entries();
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            Nov 23 03:00:01 db-1 CRON[4711]: (root) CMD (/opt/backup  --full)  => 2026-11-23T02:00:01Z => /opt/backup --full
            Nov  3 03:00:01 db-1 /USR/SBIN/CRON[1]: (a) CMD (   cd / && x (y)) => 2026-11-03T02:00:01Z => cd / && x (y)
            Dec 31 23:59:59 db-1 crond[7]: (root) CMD (x)                      => 2025-12-31T22:59:59Z => x
            2026-07-01T03:00:01.123456+02:00 db-1 CRON[1]: (root) CMD (x)      => 2026-07-01T01:00:01.123456Z => x
            2026-07-01T03:00:01+0200 db-1 CRON[1]: (root) CMD (x)              => 2026-07-01T01:00:01Z => x
            Nov 23 03:00:01 db-1 systemd[1]: Starting backup.service - Nightly => 2026-11-23T02:00:01Z => backup
            Nov 23 03:00:01 db-1 systemd[1]: Starting Nightly backup...        => 2026-11-23T02:00:01Z => Nightly backup
            2026-11-23T03:00:00Z ops/backup                                    => 2026-11-23T03:00:00Z => ops/backup
            2026-11-23 03:00 backup                                            => 2026-11-23T02:00:00Z => backup
            """)
    void a_line_says_what_started_when(String line, Instant at, String what) {
        assertThat(read(line)).containsExactly(new ShadowLog.LoggedStart(at, what));
    }

    @ParameterizedTest
    @CsvSource({
        "Nov 23 03:00:01 db-1 CRON[1]: pam_unix(cron:session): session opened",
        "Nov 23 03:00:01 db-1 systemd[1]: Finished backup.service - Nightly",
        "# 2026-11-23T03:00:00Z backup",
        "-- Boot 1234 --",
    })
    void other_lines_say_nothing(String line) {
        assertThat(read(line)).isEmpty();
    }

    @Test
    void what_has_no_time_is_told() {
        ShadowLog log = new ShadowLog(ZoneId.of("UTC"), NOW);
        log.read("Nov 23 03:00:01 db-1 CRON[1]: (root) CMD (x)\nnonsense\n");

        assertThat(log.misread()).isEqualTo("nonsense");
        assertThat(log.entries()).hasSize(1);
    }

    @Test
    void a_tab_in_a_command_is_found_again() {
        ShadowLog log = new ShadowLog(ZoneId.of("UTC"), NOW);
        log.read("Nov 23 03:00:01 db-1 CRON[1]: (root) CMD (/bin/a^Ix)\n");

        assertThat(log.entries().get(0).what()).isEqualTo(ShadowLog.key("/bin/a\tx"));
    }

    @Test
    void starts_and_fire_times_are_paired_by_their_distance() {
        Instant noon = NOW;
        List<Instant> here = List.of(noon, noon.plusSeconds(300), noon.plusSeconds(600));
        List<Instant> logged = List.of(noon.plusSeconds(1), noon.plusSeconds(450), noon.plusSeconds(599));

        assertThat(ShadowComparison.of(logged, here, Duration.ofSeconds(5), Duration.ofSeconds(60)))
                .isEqualTo(new ShadowComparison(2, List.of(noon.plusSeconds(450)), List.of(noon.plusSeconds(300))));
    }
}
