package dev.rowlock.access;

/** What a request concerns of namespaces, and so who sees to it that a limited caller stays within its own. */
public enum Reach {
    /** Nothing of any namespace; whoever has the role may. */
    NONE,
    /** The namespace {@code {ns}} of the path: checked before the endpoint is called. */
    PATH,
    /** The namespace of the task that the path names. The endpoint answers 404 for one of another namespace. */
    TASK,
    /** The namespaces that body or query name. The endpoint leaves out, or refuses, all others. */
    NAMED,
    /** The whole cluster: refused to callers that are limited to namespaces, before the endpoint is called. */
    CLUSTER
}
