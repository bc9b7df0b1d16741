package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which machine this is, on kernels of all kinds. */
class HostIdentityTest {

    @TempDir
    Path proc;

    private Path namespaces = Path.of("");

    @BeforeEach
    void host() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/hostname"), "h\n");
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "b\n");
        namespaces = Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(namespaces.resolve("pid"), Path.of("pid:[1]"));
        Files.createSymbolicLink(namespaces.resolve("user"), Path.of("user:[1]"));
    }

    @Test
    void a_kernel_without_namespaces_is_one_machine_and_another_than_any_with_them() throws IOException {
        HostIdentity with = HostIdentity.of(proc);
        assertThat(with).isEqualTo(HostIdentity.of(proc));

        Files.delete(namespaces.resolve("user"));
        HostIdentity without = HostIdentity.of(proc);
        assertThat(without).isEqualTo(HostIdentity.of(proc)).isNotEqualTo(with);

        Files.delete(namespaces.resolve("pid"));
        assertThat(HostIdentity.of(proc)).isEqualTo(HostIdentity.of(proc)).isNotEqualTo(without);
    }

    @Test
    void another_namespace_is_another_machine() throws IOException {
        HostIdentity one = HostIdentity.of(proc);
        Files.delete(namespaces.resolve("pid"));
        Files.createSymbolicLink(namespaces.resolve("pid"), Path.of("pid:[2]"));

        assertThat(HostIdentity.of(proc)).isNotEqualTo(one);
    }
}
