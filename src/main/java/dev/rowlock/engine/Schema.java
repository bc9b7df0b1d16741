package dev.rowlock.engine;

import dev.rowlock.store.DatabaseAddress;
import dev.rowlock.store.Migrations;

/** Brings the tables up to date once, before anything else is done with them. */
final class Schema {

    private final DatabaseAddress address;
    private final Runnable then;
    private volatile boolean current;

    /** @param then run once the tables are there */
    Schema(DatabaseAddress address, Runnable then) {
        this.address = address;
        this.then = then;
    }

    void bringUpToDate() {
        if (!current) {
            Migrations.run(address);
            then.run();
            current = true;
        }
    }

    boolean isCurrent() {
        return current;
    }
}
