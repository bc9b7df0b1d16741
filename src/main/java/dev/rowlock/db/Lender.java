package dev.rowlock.db;

import java.sql.Connection;
import org.jdbi.v3.core.ConnectionFactory;

/** Where a {@link Database} has its connections from. */
interface Lender extends ConnectionFactory, AutoCloseable {

    /** What was done by this connection failed in a way that makes its server doubtful. */
    void failed(Connection connection);

    /** Whether the next connection may lead to another server. */
    boolean hasOthers();

    @Override
    void close();
}
