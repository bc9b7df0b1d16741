package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.HostIdentity.ProcessExistence;
import dev.rowlock.exec.process.OrphanSweep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Session under which the last process of this node started its commands: one id, in a file of the data directory, with
 * the identity of that process. It finds what that left running whatever is in the table. A directory may be a copy of
 * one that is in use, so nothing is ended unless the kernel reports that the process is gone.
 */
final class PreviousSessions {

    private static final Logger log = LoggerFactory.getLogger(PreviousSessions.class);

    private static final Pattern LINE =
            Pattern.compile("([A-Za-z0-9._-]{1,200}) ([A-Za-z0-9-]{1,100}) ([0-9]{1,9}) ([0-9]{1,18})");

    private final Path file;
    private final ClusterSession.Host host;

    /** @param host identity of this process */
    PreviousSessions(Path file, ClusterSession.Host host) {
        this.file = file;
        this.host = host;
    }

    private record Noted(String session, String bootId, long pid, long pidStart) {}

    /**
     * Kills what is left of the sessions that are noted, of processes of this boot that are gone.
     *
     * @return how many processes that were
     */
    int sweep() {
        int all = 0;
        for (Noted noted : read()) {
            if (noted.bootId.equals(host.bootId()) && isGone(noted)) {
                int killed = OrphanSweep.killSession(noted.session);
                all += killed;
                if (killed > 0) {
                    log.warn(
                            "the previous session of this node, {}, is gone; {}",
                            noted.session,
                            OrphanSweep.said(killed));
                }
            }
        }
        return all;
    }

    private boolean isGone(Noted noted) {
        boolean gone = HostIdentity.presenceOf(noted.pid, noted.pidStart) == ProcessExistence.GONE;
        if (!gone) {
            log.warn(
                    "{} says that process {} has session {}, and that process runs: this directory is a copy of its"
                            + " directory, and what it has started is left alone",
                    file,
                    noted.pid,
                    noted.session);
        }
        return gone;
    }

    /** Notes the session under which commands may be started from now on; of those before nothing is left. */
    void begin(String session) {
        try {
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            String line = String.join(
                    " ", session, host.bootId(), String.valueOf(host.pid()), String.valueOf(host.pidStart()));
            Files.writeString(fresh, line + "\n", StandardCharsets.US_ASCII);
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

    /** Reads the notes; empty also if the process is not known, as version 0.1 did not note it. */
    private List<Noted> read() {
        try {
            return Files.exists(file)
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                            .lines()
                            .map(LINE::matcher)
                            .filter(Matcher::matches)
                            .map(line -> new Noted(
                                    line.group(1),
                                    line.group(2),
                                    Long.parseLong(line.group(3)),
                                    Long.parseLong(line.group(4))))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            log.warn("cannot read in {} what the previous session of this node was: {}", file, e.toString());
            return List.of();
        }
    }
}
