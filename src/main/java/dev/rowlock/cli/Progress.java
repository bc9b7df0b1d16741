package dev.rowlock.cli;

import dev.rowlock.cli.Surroundings.Stream;
import dev.rowlock.cli.client.Ask;

/** A line on the terminal while something takes longer than a second; nothing at all elsewhere. */
final class Progress {

    private static final long PATIENCE_MILLIS = 1000;

    private final Surroundings around;
    private final Runnable callOff;
    private volatile boolean shown;

    private Progress(Surroundings around, String what) {
        this.around = around;
        this.callOff = around.isTerminal(Stream.ERR)
                ? around.later().after(PATIENCE_MILLIS, () -> {
                    shown = true;
                    around.err().print(what + " …");
                    around.err().flush();
                })
                : () -> {};
    }

    static Progress of(Surroundings around, Ask ask) {
        return new Progress(
                around, "waiting for " + ask.method() + " " + ask.target().replaceFirst("\\?.*", ""));
    }

    /** It is over. */
    void close() {
        callOff.run();
        if (shown) {
            around.err().print("\r\u001b[K");
            around.err().flush();
        }
    }
}
