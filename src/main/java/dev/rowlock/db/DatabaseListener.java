package dev.rowlock.db;

/** Listener to database use of this process, called on the thread that uses it. It must neither wait nor throw. */
public interface DatabaseListener {

    DatabaseListener NONE = new DatabaseListener() {
        @Override
        public void done(long nanos) {}

        @Override
        public void repeated() {}

        @Override
        public void failed(RuntimeException problem) {}
    };

    /** Notes the end, whatever it was, of a transaction or a read. The time includes repetitions. */
    void done(long nanos);

    /** Notes that a transaction is repeated, after a deadlock or a lock-wait timeout. */
    void repeated();

    /** Notes a failure, whose cause may be outside the database. */
    void failed(RuntimeException problem);
}
