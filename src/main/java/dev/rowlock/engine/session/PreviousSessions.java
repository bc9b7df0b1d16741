package dev.rowlock.engine.session;

import dev.rowlock.exec.OrphanSweep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Under which session the last process of this node started its commands: one id, in a file of the data directory. It
 * finds what that left running whatever is in the table. Whoever holds the directory's lock knows that it is dead.
 */
final class PreviousSessions {

    private static final Logger log = LoggerFactory.getLogger(PreviousSessions.class);

    private final Path file;

    PreviousSessions(Path file) {
        this.file = file;
    }

    /** Kills what is left of the sessions that are written down. */
    void sweep() {
        for (String id : read()) {
            int killed = OrphanSweep.killSession(id);
            if (killed > 0) {
                log.warn("the previous session of this node, {}, is gone; {}", id, OrphanSweep.said(killed));
            }
        }
    }

    /** From now on commands may be started under this session; of those before nothing is left. */
    void begin(String session) {
        try {
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, session + "\n", StandardCharsets.US_ASCII);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            log.warn(
                    "cannot note in {} that session {} begins: if this process and its guard are killed together and"
                            + " the session is expired before the node starts again, what it left running is not"
                            + " found: {}",
                    file,
                    session,
                    e.toString());
        }
    }

    private List<String> read() {
        try {
            return Files.exists(file)
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                            .lines()
                            .filter(line -> line.matches("[A-Za-z0-9._-]{1,200}"))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            log.warn("cannot read in {} what the previous session of this node was: {}", file, e.toString());
            return List.of();
        }
    }
}
