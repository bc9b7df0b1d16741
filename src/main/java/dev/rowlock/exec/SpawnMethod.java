package dev.rowlock.exec;

import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Method of creating processes: the setting {@code exec.spawn}. */
public enum SpawnMethod {
    /** {@link #POSIX_SPAWN} where it works, else {@link #PROCESS_BUILDER}. */
    AUTO,
    /** {@code posix_spawn(3)} of the C library. */
    POSIX_SPAWN,
    /** {@code java.lang.ProcessBuilder}, and {@code setsid}. */
    PROCESS_BUILDER;

    private static final Logger LOG = LoggerFactory.getLogger(SpawnMethod.class);

    /**
     * Returns why this does not work on this host, and the remedy; empty if it works. Takes 0.1 s when first called.
     */
    public Optional<String> problem() {
        return switch (this) {
            case AUTO -> Optional.empty();
            case POSIX_SPAWN -> PosixSpawn.problem().map(why -> why + "; set AUTO or PROCESS_BUILDER instead");
            case PROCESS_BUILDER -> setsidProblem();
        };
    }

    /** Finds out what works here, so that the first command need not wait for it. */
    void prepare() {
        if (this == AUTO) {
            PosixSpawn.problem()
                    .ifPresent(why -> LOG.info(
                            "Commands are started with ProcessBuilder, which takes more CPU time than posix_spawn: {}",
                            why));
        }
    }

    /** Returns the spawner. There must be no {@link #problem()}. */
    Spawner spawner() {
        return this == PROCESS_BUILDER || PosixSpawn.problem().isPresent()
                ? ProcessBuilderSpawn.INSTANCE
                : PosixSpawn.instance();
    }

    private static Optional<String> setsidProblem() {
        try {
            Shell.setsid();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage() + "; install util-linux");
        }
    }
}
