package dev.rowlock.task.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.http.Json;
import dev.rowlock.task.TaskView;

/** Tasks as the API shows them. */
public final class TaskJson {

    private TaskJson() {}

    /** Returns each component of the view under its name, but for the two of its job. */
    public static ObjectNode of(TaskView task) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", task.id()).put("namespace", task.job().namespace());
        node.setAll((ObjectNode) Json.tree(task));
        return node.put("job", task.job().name());
    }
}
