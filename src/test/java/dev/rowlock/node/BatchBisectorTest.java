package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchBisectorTest {

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
        assertThat(left).containsExactlyInAnyOrder(17, 90);
    }

    @Test
    void many_that_fail_one_after_the_other_do_not_keep_those_behind_them_from_being_done() {
        BatchBisector.Rest<Integer> rest =
                run(500, failingOn(IntStream.range(0, 300).boxed().collect(Collectors.toSet())));

        assertThat(done).containsAll(IntStream.range(320, 500).boxed().toList());
        assertThat(rest.metByAll()).isNull();
        assertThat(transactions).isLessThan(150);
        assertThat(rest.untried().size() + done.size() + left.size()).isEqualTo(500);
    }

    @Test
    void what_all_meet_is_given_up_after_a_few_transactions() {
        BatchBisector.Rest<Integer> rest = run(500, part -> {
            throw new IllegalStateException("started 0 of " + part.size());
        });

        assertThat(Objects.requireNonNull(rest.metByAll())).hasMessage("started 0 of 1");
        assertThat(transactions).isLessThan(10);
        assertThat(refused).isEmpty();
        assertThat(rest.untried()).hasSizeGreaterThan(490);
    }

    private BatchBisector.Rest<Integer> run(int size, Consumer<List<Integer>> work) {
        return BatchBisector.run(
                IntStream.range(0, size).boxed().toList(),
                false,
                part -> {
                    transactions++;
                    work.accept(part);
                },
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
