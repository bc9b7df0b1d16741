package dev.rowlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often users are asked for when many jobs are planned. */
class CommandUsersTest {

    private final List<String> asked = new ArrayList<>();

    private CommandUsers answering(Optional<Boolean> answer) {
        return new CommandUsers(() -> asked.add("some"), "node-a", user -> {
                    asked.add(user);
                    return answer;
                })
                .remembered();
    }

    @Test
    void nothing_is_asked_twice_and_of_very_many_users_only_the_first() {
        CommandUsers users = answering(Optional.of(false));
        for (int i = 0; i < 200; i++) {
            assertThat(users.someRunAsOthers().getAsBoolean()).isTrue();
            assertThat(users.knownHere().apply("user-" + i % 100)).isNotEqualTo(Optional.of(true));
        }

        assertThat(asked).hasSize(21).doesNotHaveDuplicates();
        assertThat(users.knownHere().apply("user-0")).hasValue(false);
        assertThat(users.knownHere().apply("user-99")).isEmpty();
    }

    /** A directory service that does not answer takes a second each time. */
    @Test
    void once_it_cannot_be_told_nobody_is_asked_for_any_more() {
        CommandUsers users = answering(Optional.empty());

        assertThat(users.knownHere().apply("a")).isEmpty();
        assertThat(users.knownHere().apply("b")).isEmpty();
        assertThat(asked).containsExactly("a");
    }
}
