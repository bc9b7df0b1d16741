package dev.rowlock.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {

    private final Shares shares = new Shares("things", 16);

    @Test
    void each_may_have_a_quarter_and_gets_it_again_when_it_gives_some_back() {
        List<Shares.Share> own = take("a", 4);

        assertRefused("a", true, "you have 4 things on this node");
        own.get(0).close();
        take("a", 1);
        assertRefused("a", true, "you have 4 things on this node");
        take("b", 4);
    }

    @Test
    void when_all_are_taken_nobody_gets_one_whoever_asks() {
        for (String who : List.of("a", "b", "c", "d")) {
            take(who, 4);
        }
        assertRefused("e", false, "there are 16 things on this node");
        assertRefused("a", false, "there are 16 things on this node");
    }

    @Test
    void few_of_something_are_not_divided_into_nothing() {
        Shares few = new Shares("things", 3);
        few.take("a");
        few.take("a");
        assertThatThrownBy(() -> few.take("a")).isInstanceOf(Crowded.class);
        few.take("b");
        assertThatThrownBy(() -> new Shares("things", 0).take("a")).isInstanceOf(Crowded.class);
    }

    @Test
    void addresses_of_one_ipv6_network_have_one_share() {
        assertThat(Shares.ofAddress("2001:db8:1:2::7")).isEqualTo(Shares.ofAddress("2001:db8:1:2:3::8"));
        assertThat(Shares.ofAddress("10.0.0.1")).isNotEqualTo(Shares.ofAddress("10.0.0.2"));
    }

    private List<Shares.Share> take(String who, int many) {
        List<Shares.Share> taken = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            taken.add(shares.take(who));
        }
        return taken;
    }

    private void assertRefused(String who, boolean isOwn, String why) {
        assertThatThrownBy(() -> shares.take(who))
                .isInstanceOf(Crowded.class)
                .hasMessageStartingWith(why)
                .extracting(e -> ((Crowded) e).isOwn())
                .isEqualTo(isOwn);
    }
}
