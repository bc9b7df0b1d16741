package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.chaos.Plan.Planned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FaultLaneTest {

    @Test
    void a_fault_that_turns_out_to_be_impossible_when_it_begins_is_skipped_and_the_next_one_comes() {
        List<Planned> plan =
                List.of(new Planned(FaultKind.KILL_GUARD, 0, 0, 0, 0), new Planned(FaultKind.KILL, 0, 0, 0, 0));
        List<Injected> injected = new ArrayList<>();
        Findings findings = new Findings();
        List<String> ended = new ArrayList<>();

        new FaultLane(
                        plan,
                        planned -> Fault.of(
                                planned.kind().name(),
                                () -> {
                                    if (planned.kind() == FaultKind.KILL_GUARD) {
                                        throw new Fault.Skipped("the node is frozen");
                                    }
                                },
                                () -> ended.add(planned.kind().name())),
                        System.nanoTime(),
                        new CountDownLatch(1),
                        injected::add,
                        findings)
                .run();

        assertThat(injected).extracting(Injected::skipped).containsExactly("the node is frozen", null);
        assertThat(ended).containsExactly("KILL_GUARD", "KILL");
        assertThat(findings.areNone()).isTrue();
    }
}
