package dev.rowlock.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.job.FieldProblem;
import dev.rowlock.job.InvalidDefinition;
import dev.rowlock.job.JobKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Name of a job, which is in the path, and may be in the body, too. */
final class NameInPath {

    private NameInPath() {}

    /** Sets the name from the path; a different one in the body is a mistake. */
    static ObjectNode of(JobKey key, ObjectNode sent) {
        requireSame("namespace", key.namespace(), sent.get("namespace"));
        requireSame("name", key.name(), sent.get("name"));
        return sent.deepCopy().put("namespace", key.namespace()).put("name", key.name());
    }

    private static void requireSame(String field, String inPath, @Nullable JsonNode inBody) {
        if (inBody != null && !inBody.isNull() && !inPath.equals(inBody.textValue())) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    field,
                    "is '" + inPath + "' in the path; a job cannot be renamed, so leave it out or make it the same")));
        }
    }
}
