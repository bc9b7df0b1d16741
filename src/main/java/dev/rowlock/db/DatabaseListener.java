package dev.rowlock.db;

/**
 * Told of what is done over the connections of this process, on the thread that does it. It must not wait for anything,
 * nor throw.
 */
public interface DatabaseListener {

    DatabaseListener NONE = new DatabaseListener() {
        @Override
        public void done(long nanos) {}

        @Override
        public void repeated() {}

        @Override
        public void failed(RuntimeException problem) {}
    };

    /** A transaction or a reading has come to its end, whatever that was, after so long. Repetitions are part of it. */
    void done(long nanos);

    /** A transaction is repeated, after a deadlock or because it waited for a lock for too long. */
    void repeated();

    /** It has ended with this, perhaps for a reason that is none of the database's. */
    void failed(RuntimeException problem);
}
