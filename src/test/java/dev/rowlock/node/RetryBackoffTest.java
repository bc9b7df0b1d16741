package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.support.LogLines;
import dev.rowlock.support.ManualNanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetryBackoffTest {

    private final ManualNanos nanos = new ManualNanos();
    private final RetryBackoff<Long> postponed =
            new RetryBackoff<>(nanos, id -> id, id -> "task " + id + " cannot be moved");
    private final List<Long> done = new ArrayList<>();
    private int transactions;

    @Test
    void the_pause_of_a_row_doubles_up_to_a_minute_while_others_get_through() {
        List<Integer> tries = new ArrayList<>();
        for (int second = 0; second <= 250; second++) {
            if (run(List.of(1L, 2L, 3L), Set.of(2L)).contains(2L)) {
                tries.add(second);
            }
            nanos.advance(Duration.ofSeconds(1));
        }

        assertThat(tries).containsExactly(0, 2, 6, 14, 30, 62, 122, 182, 242);
    }

    @Test
    void no_pause_grows_while_nothing_gets_through() {
        List<Long> all = LongStream.range(0, 500).boxed().toList();
        for (int second = 0; second < 120; second++) {
            transactions = 0;
            try {
                run(all, Set.copyOf(all));
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("no");
            }
            assertThat(transactions).isLessThan(70);
            nanos.advance(Duration.ofSeconds(1));
        }

        nanos.advance(Duration.ofSeconds(2));
        for (int round = 0; round < 10; round++) {
            run(all, Set.of());
        }
        assertThat(done).containsAll(all);
    }

    @Test
    void what_was_tried_in_bad_company_has_its_turn_soon_however_many_fail() {
        List<Long> all = LongStream.range(0, 500).boxed().toList();
        Set<Long> bad = all.stream().filter(id -> id != 333).collect(Collectors.toSet());
        assertThatThrownBy(() -> run(all, bad)).hasMessage("no");
        assertThat(postponed.leftOut()).hasSize(500);

        nanos.advance(Duration.ofSeconds(2));
        for (int round = 0; round < 20 && postponed.hasUntried(); round++) {
            run(all, bad);
        }
        assertThat(done).contains(333L);
    }

    @Test
    void the_log_tells_of_it_once_a_minute() {
        try (LogLines log = LogLines.of(RetryBackoff.class)) {
            for (int second = 0; second < 120; second++) {
                run(
                        LongStream.range(0, 50).boxed().toList(),
                        LongStream.range(0, 10).boxed().collect(Collectors.toSet()));
                nanos.advance(Duration.ofSeconds(1));
            }
            assertThat(log.events(event -> event.getLevel().toString().equals("WARN")))
                    .hasSize(2);
            assertThat(log.texts().get(0)).endsWith(" cannot be moved for now, and is tried again");
        }
    }

    /** Answers those that were tried. */
    private Set<Long> run(List<Long> ids, Set<Long> bad) {
        LongPredicate isReady = postponed.ready(id -> true);
        List<Long> tried = ids.stream().filter(isReady::test).toList();
        postponed.run(
                tried,
                part -> {
                    transactions++;
                    if (part.stream().anyMatch(bad::contains)) {
                        throw new IllegalStateException("no");
                    }
                    return done.addAll(part);
                },
                (alone, problem) -> true);
        return Set.copyOf(tried);
    }
}
