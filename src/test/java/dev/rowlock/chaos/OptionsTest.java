package dev.rowlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void all_faults_are_injected_unless_some_are_named() {
        assertThat(parsed("--seed", "1").faults()).isEqualTo(EnumSet.allOf(FaultKind.class));
        assertThat(parsed("--faults", "kill,freeze-in-request").faults())
                .containsExactly(FaultKind.KILL, FaultKind.FREEZE_IN_REQUEST);
        assertThat(parsed("--faults", "none").faults()).isEmpty();
    }

    @Test
    void some_can_be_left_out() {
        assertThat(parsed("--faults", "all,-database-clock,-clock").faults())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.DATABASE_CLOCK, FaultKind.CLOCK)));
    }

    @Test
    void an_unknown_fault_is_refused_and_the_known_ones_are_named() {
        assertThatThrownBy(() -> parsed("--faults", "kil"))
                .hasMessageContaining("'kil'")
                .hasMessageContaining("kill-with-guard");
    }

    private static Options parsed(String... arguments) {
        return Options.parse(List.of(arguments));
    }
}
