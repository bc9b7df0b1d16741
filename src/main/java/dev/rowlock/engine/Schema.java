package dev.rowlock.engine;

import dev.rowlock.store.Migrations;
import dev.rowlock.store.Servers;

/** Brings the tables up to date once, before anything else is done with them. */
final class Schema {

    private final Servers servers;
    private final Runnable then;
    private volatile boolean current;

    /** @param then run once the tables are there */
    Schema(Servers servers, Runnable then) {
        this.servers = servers;
        this.then = then;
    }

    void bringUpToDate() {
        if (!current) {
            Migrations.run(servers);
            then.run();
            current = true;
        }
    }

    boolean isCurrent() {
        return current;
    }
}
