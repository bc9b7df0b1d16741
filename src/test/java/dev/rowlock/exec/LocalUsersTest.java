package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalUsersTest {

    @Test
    void users_of_this_machine_are_known_and_numbers_need_no_name() {
        assertThat(LocalUsers.isKnown("root")).hasValue(true);
        assertThat(LocalUsers.isKnown("4711")).hasValue(true);
        assertThat(LocalUsers.isKnown("no-such-user")).hasValue(false);
    }
}
