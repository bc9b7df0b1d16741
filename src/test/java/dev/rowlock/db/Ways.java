package dev.rowlock.db;

import dev.rowlock.nodes.Until;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The ways into the database that one process has. */
final class Ways implements AutoCloseable {

    /** By how much the process believes that more time has passed. */
    final AtomicLong aheadNanos = new AtomicLong();

    final AtomicInteger moves = new AtomicInteger();
    final Servers servers;
    final Database loop;
    final Database heart;
    final Database pool;

    Ways(DatabaseAddress address) {
        servers = new Servers(address, () -> System.nanoTime() + aheadNanos.get());
        servers.onMove(moves::incrementAndGet);
        loop = Database.single(servers, Duration.ofSeconds(30));
        heart = Database.unhindered(servers, Duration.ofSeconds(30));
        pool = Database.pooled(servers, 3, Duration.ofSeconds(3));
    }

    void lookUntil(Callable<Boolean> over) throws Exception {
        Until.holds(Duration.ofSeconds(20), "the database to be found elsewhere", () -> {
            servers.look(Runnable::run);
            return over.call();
        });
    }

    static void note(Database database, int id) {
        database.transact("noting " + id, handle -> handle.execute("insert into noted values (?)", id));
    }

    @Override
    public void close() {
        loop.close();
        heart.close();
        pool.close();
    }
}
