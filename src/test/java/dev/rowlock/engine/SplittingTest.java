package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplittingTest {

    private final List<Integer> done = new ArrayList<>();
    private final List<Integer> refused = new ArrayList<>();
    private final List<Integer> left = new ArrayList<>();
    private int transactions;

    @Test
    void a_self_check_that_fails_on_one_alone_leaves_it_for_later_and_refuses_nothing() {
        run(1, failingOn(Set.of(0)));

        assertThat(left).containsExactly(0);
        assertThat(refused).isEmpty();
    }

    @Test
    void those_beside_it_are_done() {
        run(100, failingOn(Set.of(17, 90)));

        assertThat(done).hasSize(98);
        assertThat(left).containsExactly(17, 90);
    }

    @Test
    void what_all_meet_is_given_up_after_a_few_transactions() {
        assertThatThrownBy(() -> run(500, part -> {
                    transactions++;
                    throw new IllegalStateException("started 0 of " + part.size());
                }))
                .hasMessage("started 0 of 1");

        assertThat(transactions).isLessThan(20);
        assertThat(refused).isEmpty();
    }

    private void run(int size, Consumer<List<Integer>> work) {
        Splitting.run(
                IntStream.range(0, size).boxed().toList(),
                work,
                (alone, problem) -> refused.add(alone),
                (alone, problem) -> left.add(alone));
    }

    private Consumer<List<Integer>> failingOn(Set<Integer> bad) {
        return part -> {
            if (part.stream().anyMatch(bad::contains)) {
                throw new IllegalStateException("started 0 of 1");
            }
            done.addAll(part);
        };
    }
}
