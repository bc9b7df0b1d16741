package dev.rowlock.access;

/** Namespaces that a request concerns, and so who keeps a limited caller within its own. */
public enum Reach {
    /** No namespace; the role is enough. */
    NONE,
    /** The namespace {@code {ns}} of the path, checked before the endpoint is called. */
    PATH,
    /** The namespace of the task in the path. The endpoint answers 404 for a task of another namespace. */
    TASK,
    /** The namespaces in the body or query. The endpoint leaves out, or refuses, all others. */
    NAMED,
    /** The whole cluster: callers limited to namespaces are refused before the endpoint is called. */
    CLUSTER
}
