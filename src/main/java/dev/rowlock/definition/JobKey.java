package dev.rowlock.definition;

/** Name people know a job by: {@code namespace/name}. */
public record JobKey(String namespace, String name) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
