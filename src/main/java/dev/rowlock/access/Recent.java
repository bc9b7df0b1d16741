package dev.rowlock.access;

import java.util.LinkedHashMap;
import java.util.Map;

/** Map of bounded size: when full, the least recently used key makes room. Not thread-safe. */
public final class Recent<V> extends LinkedHashMap<String, V> {

    private static final long serialVersionUID = 1L;

    private final int most;

    public Recent(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > most;
    }
}
