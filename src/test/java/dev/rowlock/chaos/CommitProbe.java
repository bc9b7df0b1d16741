package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Plain writes on one member of a Galera cluster, beside all else: while they hang, because a member is being voted out or joins, nothing
 * can be in time. What fails says nothing: such a member is away.
 */
final class CommitProbe implements Runnable {

    private static final long EVERY_MILLIS = 100;
    private static final long WORTH_NOTING_MILLIS = 200;

    private final int member;
    private final Stalls stalls;
    private final CountDownLatch stop;

    CommitProbe(int member, Stalls stalls, CountDownLatch stop) {
        this.member = member;
        this.stalls = stalls;
        this.stop = stop;
    }

    @Override
    public void run() {
        try {
            while (!stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                try (Connection connection =
                                DriverManager.getConnection(ServerGroup.urlOf(member) + GaleraServer.PATIENT);
                        Statement statement = connection.createStatement()) {
                    write(statement);
                } catch (SQLException e) {
                    Thread.onSpinWait(); // it is away: the next round finds out whether it is back
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Statement statement) throws SQLException, InterruptedException {
        while (!stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
            long before = Uptime.millis();
            statement.execute(GaleraServer.write(member));
            if (Uptime.millis() - before > WORTH_NOTING_MILLIS) {
                stalls.note(before, Uptime.millis());
            }
        }
    }
}
