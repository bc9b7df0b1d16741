package dev.rowlock.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** What the machine and its database can do at most, measured in the same call as the contenders. */
final class Limits {

    private static final double SECONDS = 2;
    private static final int ROWS = 1000;

    private Limits() {}

    /** @param parallelism how many commands run at a time */
    static Line measure(Server server, int parallelism, boolean spawns) throws Exception {
        Line line = new Line();
        if (spawns) {
            for (String mechanism : Spawns.mechanisms()) {
                String name = mechanism.equals("VFORK") ? "vfork_spawns_per_s" : "spawns_per_s";
                line.with(name, Spawns.perSecond(mechanism, parallelism));
            }
        }
        try (Schema schema = server.schema();
                Connection connection = DriverManager.getConnection(
                        schema.address.url() + "&rewriteBatchedStatements=true&readOnlyPropagatesToServer=false",
                        schema.address.user(),
                        schema.address.password())) {
            schema.run("create table single (id bigint not null auto_increment primary key, text varchar(100) not null)");
            schema.run("create table bulk like single");
            try (PreparedStatement single = connection.prepareStatement("insert into single (text) values (?)");
                    PreparedStatement bulk = connection.prepareStatement("insert into bulk (text) values (?)")) {
                line.with("commits_per_s", perSecond(1, SECONDS, () -> insert(single, 1)));
                line.with("bulk_rows_per_s", perSecond(1, SECONDS, () -> insert(bulk, ROWS)) * ROWS);
            }
        }
        return line;
    }

    private static void insert(PreparedStatement statement, int rows) {
        try {
            for (int i = 0; i < rows; i++) {
                statement.setString(1, "some text of the length that a row of a scheduler would have, more or less");
                statement.addBatch();
            }
            statement.executeBatch();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often that many threads did it in a second. */
    static double perSecond(int threads, double seconds, Runnable work) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(threads);
        long began = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(
                    () -> {
                        while (System.nanoTime() - began < seconds * 1e9) {
                            work.run();
                            done.incrementAndGet();
                        }
                        ended.countDown();
                    },
                    "bench-limit-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        ended.await();
        return done.get() * 1e9 / (System.nanoTime() - began);
    }
}
