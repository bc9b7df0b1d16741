package dev.rowlock.exec.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {

    /** A pid says nothing about age: they begin again from the lowest. */
    private static final ProcFs SHELL_WITH_CHILDREN = new ProcFs() {
        @Override
        public List<Proc> processes() {
            return List.of(proc(3, 900), proc(4, 3), proc(900, 1), proc(901, 4), proc(1, 0));
        }

        @Override
        String environment(int pid, String variable) {
            return pid == 1 ? null : "s";
        }
    };

    /** A shell that lost its child first would go on with its next line, and might end as if nobody had asked it to. */
    @Test
    void whoever_started_others_is_ended_before_them() {
        assertThat(ProcessTree.ofSession(SHELL_WITH_CHILDREN, "s", Set.of()))
                .extracting(Proc::pid)
                .containsExactly(900, 3, 4, 901);
    }

    @Test
    void so_it_is_for_a_command_that_this_node_follows() {
        ControlGroupsTest.Marks command = new ControlGroupsTest.Marks(Set.of(3, 4, 900, 901));

        assertThat(ProcessTree.of(SHELL_WITH_CHILDREN, List.of(command)).get(command))
                .extracting(Proc::pid)
                .containsExactly(900, 3, 4, 901);
    }

    private static Proc proc(int pid, int parent) {
        return new Proc(pid, "bash", 'S', parent, pid == 1 ? 1 : 900, 1, 7);
    }
}
