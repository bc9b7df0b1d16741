package dev.rowlock.exec;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A way to make processes. Thread-safe. */
interface Spawner {

    /**
     * What to make a process of.
     *
     * @param line the program's absolute path, and its arguments
     * @param environment all of it: nothing is inherited
     * @param input what standard input is
     * @param output what standard output and error are appended to, an existing file; null: nothing
     */
    record Program(
            List<String> line,
            Map<String, String> environment,
            File input,
            @Nullable File output) {}

    /**
     * Makes a process, the first of a process session of its own, in the root directory, that has inherited no other file. Throws {@link IOException} with a
     * message for people if it cannot be made; then there is none.
     */
    Child spawn(Program program) throws IOException;

    /** Whether this text can be an argument or a variable and arrives as UTF-8. */
    boolean canPass(String text);

    /** The fastest that works here; which that is is found out once, and takes a moment. */
    static Spawner fastest() {
        return Fastest.SPAWNER;
    }

    /** Made when it is first asked for. */
    final class Fastest {
        private static final Spawner SPAWNER = choose();

        private Fastest() {}

        private static Spawner choose() {
            @Nullable Spawner quick = PosixSpawn.ifPossible();
            return quick == null ? new SetsidSpawn() : quick;
        }
    }
}
