package dev.rowlock.node;

import dev.rowlock.db.DatabaseAddress;
import java.io.Closeable;
import java.nio.file.Path;

/** A node that has joined and found nothing to do; to run it is to let it play what is due, up to history. */
public final class PlayedOccurrence implements Runnable, Closeable {

    private final HandDrivenNode node;

    public PlayedOccurrence(String url, String user, String password, Path dir) {
        node = new HandDrivenNode("a", new DatabaseAddress(url, user, password), dir, 4);
        node.keeper.runOnce();
        node.compensator.runOnce();
        node.schedule();
        node.recorder.runOnce();
    }

    @Override
    public void run() {
        node.schedule();
        node.processes.end(0);
        node.recorder.runOnce();
    }

    @Override
    public void close() {
        node.close();
    }
}
