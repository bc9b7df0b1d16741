package dev.rowlock.db;

import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.config.JdbiConfig;

/** Knowledge whether several servers of one cluster take writes, as {@link Locks} needs in each transaction. */
public final class WritingServers implements JdbiConfig<WritingServers> {

    private BooleanSupplier several = () -> false;

    void ask(BooleanSupplier whether) {
        several = whether;
    }

    boolean areSeveral() {
        return several.getAsBoolean();
    }

    @Override
    public WritingServers createCopy() {
        WritingServers copy = new WritingServers();
        copy.several = several;
        return copy;
    }
}
