package dev.rowlock.cli.call;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Surroundings of a command, so that a test can be around it, too.
 *
 * @param clock of this machine; it only says how far away times are
 * @param terminals which of the three are one
 * @param later for what is shown only if something takes long
 * @param programs for editors
 */
public record Surroundings(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        InstantSource clock,
        Set<Stream> terminals,
        DelayedCall later,
        Programs programs) {

    /** Standard streams of every process. */
    public enum Stream {
        IN("0"),
        OUT("1"),
        ERR("2");

        private final String descriptor;

        Stream(String descriptor) {
            this.descriptor = descriptor;
        }

        /** Returns the number that a shell has for it. */
        public String descriptor() {
            return descriptor;
        }
    }

    /** Timer that does something in a while, unless it is called off. */
    @FunctionalInterface
    public interface DelayedCall {
        /** @return calls it off; what has begun is over when that returns */
        Runnable after(long millis, Runnable what);
    }

    /** Runner of a program that owns the terminal until it ends. */
    @FunctionalInterface
    public interface Programs {
        /**
         * @return its exit code
         * @throws IOException it cannot be started
         */
        int run(List<String> words) throws IOException;
    }

    public boolean isTerminal(Stream stream) {
        return terminals.contains(stream);
    }

    /** Returns true if somebody sits there who can be asked. */
    public boolean canAsk() {
        return isTerminal(Stream.IN) && isTerminal(Stream.ERR);
    }

    /** Returns whether output is coloured: on a terminal, and unless the user refuses it (no-color.org). */
    public boolean isColoured() {
        return isTerminal(Stream.OUT)
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}
