package dev.rowlock.exec.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import dev.rowlock.exec.Ended;
import dev.rowlock.exec.Gate;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.exec.Provision;
import dev.rowlock.exec.RunOptions;
import dev.rowlock.exec.Shell;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.TestLauncher;
import dev.rowlock.exec.process.ControlGroups.CgroupHost;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a tree of files that looks as the kernel's does: not every host that runs tests has one to write to. */
class ControlGroupsTest {

    private static final LaunchId LAUNCH = new LaunchId("abc-1");

    @TempDir
    Path own;

    private final ControlGroups groups = new ControlGroups(new Tree());

    private Set<Integer> ours = Set.of(10, 11);

    private final class Tree implements CgroupHost {

        @Override
        public Path own() {
            return own;
        }

        @Override
        public boolean isOurs(int pid) {
            return ours.contains(pid);
        }

        @Override
        public void make(Path group) throws IOException {
            Files.createDirectory(group);
            for (String file : List.of("cgroup.procs", "cgroup.subtree_control", "memory.max", "memory.oom.group")) {
                Files.createFile(group.resolve(file));
            }
        }
    }

    private void tree(String controllers, String control, String processes) throws IOException {
        Files.writeString(own.resolve("cgroup.controllers"), controllers);
        Files.writeString(own.resolve("cgroup.subtree_control"), control);
        Files.writeString(own.resolve("cgroup.procs"), processes);
    }

    @Test
    void a_group_is_made_beside_the_daemon_which_moves_below() throws IOException {
        tree("cpu memory pids\n", "", "10\n11\n");

        ControlGroup group = groups.make(LAUNCH, 64 << 20).orElseThrow();

        assertThat(own.resolve("cgroup.subtree_control")).hasContent("+memory");
        assertThat(own.resolve("rowlock/cgroup.procs")).hasContent("11"); // the last one that was written
        assertThat(group.directory()).isEqualTo(own.resolve("rowlock-abc-1"));
        assertThat(group.directory().resolve("memory.max")).hasContent("67108864");
        assertThat(group.directory().resolve("memory.oom.group")).hasContent("1");
        assertThat(group.directory().resolve("memory.swap.max")).doesNotExist();
        assertThat(groups.problem()).isEmpty();
    }

    @Test
    void where_limits_are_on_already_nothing_moves() throws IOException {
        tree("memory", "memory", "99\n");

        assertThat(groups.make(LAUNCH, 1 << 30)).isPresent();
        assertThat(own.resolve("rowlock")).doesNotExist();
    }

    @Test
    void the_group_that_an_earlier_daemon_moved_to_is_left_where_it_is() throws IOException {
        tree("memory", "memory", "");
        new Tree().make(own.resolve("rowlock"));
        Path above = own;
        own = above.resolve("rowlock");

        assertThat(groups.make(LAUNCH, 1 << 30).orElseThrow().directory()).isEqualTo(above.resolve("rowlock-abc-1"));
    }

    @Test
    void a_process_of_somebody_else_is_not_moved() throws IOException {
        tree("memory", "", "10\n4711\n");

        assertThat(groups.make(LAUNCH, 1 << 30)).isEmpty();
        assertThat(groups.problem()).contains("process 4711, which is not the daemon's");
        assertThat(own.resolve("rowlock")).doesNotExist();
        assertThat(own.resolve("cgroup.subtree_control")).isEmptyFile();
    }

    @Test
    void without_the_controller_there_is_no_group() throws IOException {
        tree("cpu pids", "", "10\n");

        assertThat(groups.make(LAUNCH, 1 << 30)).isEmpty();
        assertThat(groups.problem()).isEqualTo("the memory controller is not available in " + own);
    }

    @Test
    void it_is_tried_again_with_the_next_command() throws IOException {
        tree("cpu", "", "10\n");
        assertThat(groups.make(LAUNCH, 1 << 30)).isEmpty();

        tree("memory", "", "10\n");
        assertThat(groups.make(LAUNCH, 1 << 30)).isPresent();
    }

    @Test
    void what_the_kernel_killed_for_want_of_memory_is_seen() throws IOException {
        tree("memory", "memory", "");
        ControlGroup group = groups.make(LAUNCH, 1 << 30).orElseThrow();
        assertThat(exceeded(group)).isNull();

        Files.writeString(group.directory().resolve("memory.events"), "low 0\nmax 7\noom 1\noom_kill 0\n");
        assertThat(exceeded(group)).isNull();
        Files.writeString(group.directory().resolve("memory.events"), "low 0\nmax 7\noom 1\noom_kill 2\n");
        assertThat(exceeded(group)).contains("more memory than its limit");
    }

    private static @Nullable String exceeded(ControlGroup group) {
        LaunchSpec spec = new LaunchSpec(LAUNCH, "abc", "true", null, Map.of(), null, Duration.ZERO, Long.MAX_VALUE);
        return new Provision(null, group, "").exceeded(spec, 137);
    }

    /** The file says who is in it: a shell that moves there writes its id, which is all that a plain file shows. */
    @Test
    void the_shell_moves_into_the_group_before_the_command() throws IOException {
        tree("memory", "memory", "");
        try (TestLauncher commands =
                new TestLauncher(Gate.WITHIN, new ProcessSignals(new ProcFs()), output -> shell(output))) {
            RunOptions options =
                    new RunOptions(null, null, null, new Limits(null, 64L << 20, null, null), CommandShell.BASH, null);
            LaunchSpec spec =
                    commands.with(options, "echo $$; ulimit -v; cat $GROUP/cgroup.procs; echo; cat $GROUP/memory.max");
            LaunchSpec told = TestLauncher.environment(
                    spec,
                    Map.of("GROUP", own.resolve("rowlock-" + spec.launchId()).toString()));
            Ended ended = commands.run(told);

            List<String> said = commands.text(spec.launchId()).lines().toList();
            assertThat(said).hasSize(4);
            assertThat(said.get(1)).isEqualTo("unlimited");
            assertThat(said.get(2)).isEqualTo(said.get(0));
            assertThat(said.get(3)).isEqualTo("67108864");
            assertThat(ended.memory()).isEqualTo("memory was limited by a control group");
        }
    }

    @Test
    void who_is_in_the_group_of_a_command_belongs_to_it_without_any_other_mark() throws Exception {
        Process stranger = new ProcessBuilder("setsid", "sleep", "60").start();
        try {
            Marks marks = new Marks(Set.of(Math.toIntExact(stranger.pid())));
            assertThat(ProcessTree.of(new ProcFs(), List.of(marks)).get(marks))
                    .extracting(Proc::pid)
                    .containsExactly((int) stranger.pid());
            Marks without = new Marks(Set.of());
            assertThat(ProcessTree.of(new ProcFs(), List.of(without))).isEmpty();
        } finally {
            stranger.destroyForcibly();
        }
    }

    /** A command of which nothing is known but who is in its group. */
    record Marks(Set<Integer> members) implements ProcessTree.Marks {

        @Override
        public String launchId() {
            return "nobody's";
        }

        @Override
        public int session() {
            return -1;
        }

        @Override
        public long bornTicks() {
            return 0;
        }

        @Override
        public boolean firstIsGone() {
            return false;
        }

        @Override
        public Set<Proc.Id> known() {
            return Set.of();
        }
    }

    private Shell shell(Path output) {
        try {
            return new Shell(output.resolve("gate.sh"), SpawnMethod.AUTO, groups, null);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_daemons_group_is_found_by_what_the_kernel_says() throws IOException {
        List<String> mounts = List.of(
                "24 1 0:22 / /proc rw - proc proc rw",
                "31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
        assertThat(ControlGroups.own(mounts, List.of("1:cpu:/x", "0::/system.slice/rowlock.service")))
                .hasToString("/sys/fs/cgroup/system.slice/rowlock.service");
        List<String> part = List.of("31 24 0:27 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw");
        assertThat(ControlGroups.own(part, List.of("0::/docker/1/inner"))).hasToString("/sys/fs/cgroup/inner");
        assertThat(ControlGroups.own(part, List.of("0::/docker/1"))).hasToString("/sys/fs/cgroup");
        assertThatThrownBy(() -> ControlGroups.own(mounts, List.of("4:memory:/x")))
                .hasMessageContaining("no control groups of version 2");
        assertThatThrownBy(() -> ControlGroups.own(mounts.subList(0, 1), List.of("0::/")))
                .hasMessageContaining("not mounted");
    }
}
