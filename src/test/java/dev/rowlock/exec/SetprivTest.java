package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which program changes the user. */
class SetprivTest {

    @TempDir
    Path dir;

    @Test
    void that_of_busybox_cannot() throws IOException {
        Path program = Files.createFile(dir.resolve("busybox"));
        Path setpriv = Files.createSymbolicLink(dir.resolve("setpriv"), program);

        assertThat(RunAs.problem(setpriv))
                .hasValueSatisfying(why -> assertThat(why).contains("BusyBox"));
        assertThat(RunAs.problem(Files.createFile(dir.resolve("real")))).isEmpty();
    }
}
