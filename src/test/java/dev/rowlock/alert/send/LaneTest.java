package dev.rowlock.alert.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.alert.send.Lane.SendResult;
import dev.rowlock.alert.store.Outbox.Claimed;
import dev.rowlock.alert.store.Outbox.Due;
import dev.rowlock.alert.store.Outbox.MessageKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LaneTest {

    private static final Due DUE = new Due(1, "ops", "https://ops.example", null, false);
    private static final Claimed MESSAGE = new Claimed(1, "c", "u", "ops", null, 1, Instant.EPOCH, Instant.EPOCH, 1);

    private final Lane lane = new Lane(MessageKind.ALERT, 1, Runnable::run);

    @Test
    void a_message_that_was_taken_has_no_problem() {
        lane.start(DUE, MESSAGE, () -> {});
        assertThat(problem()).isNull();
    }

    @Test
    void a_destination_is_free_again_whatever_happened() {
        lane.start(DUE, MESSAGE, () -> {
            throw new IllegalStateException("nobody has thought of it");
        });
        assertThat(problem()).contains("unexpected error");

        assertThatThrownBy(() -> lane.start(DUE, MESSAGE, () -> {
                    throw new StackOverflowError("nor of this");
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(problem()).contains("unexpected error");
        assertThat(lane.isEmpty()).isTrue();
    }

    private @Nullable String problem() {
        assertThat(lane.hasRoom()).isFalse();
        SendResult done = lane.ended();
        assertThat(done).isNotNull();
        lane.recorded();
        assertThat(lane.hasRoom()).isTrue();
        return done.problem();
    }
}
