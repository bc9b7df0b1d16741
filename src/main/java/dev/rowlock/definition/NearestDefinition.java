package dev.rowlock.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Definition closest to one that a server would refuse: what is out of range is at its limit, and what cannot be is
 * left out. For definitions made of the words of other programs; what a person writes is refused instead.
 *
 * @param definition as {@link StoredDefinition#parse} takes it, unless something is refused
 * @param changes what is otherwise than wanted
 * @param refused what is wrong with fields that a job needs, or whose absence would give its command more rights
 */
public record NearestDefinition(ObjectNode definition, List<Adjustment> changes, List<FieldProblem> refused) {

    private static final Set<String> NEEDED = Set.of("namespace", "name", "schedule", "zone", "command", "shell");
    private static final Set<String> RIGHTS = Set.of("user", "umask", "nodes", "secretEnv");
    private static final int MOST_ROUNDS = 5;

    /**
     * Field that differs from what was wanted.
     *
     * @param value null: it is left out
     */
    public record Adjustment(
            FieldProblem problem, JsonNode wanted, @Nullable JsonNode value) {}

    /** Creates it from what is wanted, which is not modified. */
    public static NearestDefinition of(ObjectNode wanted) {
        ObjectNode node = wanted.deepCopy();
        List<Adjustment> changes = new ArrayList<>();
        List<FieldProblem> refused = new ArrayList<>();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Place whole = new Place("", new ArrayList<>());
            JobFields.checkTogether(JobDefinition.read(node, whole), whole);
            JobFields.TABLE.refuseUnknown(node, Set.of(), whole);
            refused.clear();
            int before = changes.size();
            for (int i = whole.problems().size() - 1; i >= 0; i--) { // so that elements in front keep their places
                FieldProblem problem = whole.problems().get(i);
                if (NEEDED.contains(problem.top()) || RIGHTS.contains(problem.top())) {
                    refused.add(0, problem);
                } else {
                    change(node, problem, whole, changes);
                }
            }
            if (changes.size() == before) {
                break;
            }
        }
        return new NearestDefinition(node, changes, refused);
    }

    private static void change(ObjectNode node, FieldProblem problem, Place whole, List<Adjustment> changes) {
        String top = problem.top();
        String rest = problem.field().substring(top.length());
        JsonNode value = rest.startsWith("[") ? null : whole.nearest().get(problem.field());
        if (rest.isEmpty()) {
            JsonNode wanted = value == null ? node.remove(top) : node.replace(top, value);
            changes.add(new Adjustment(problem, wanted == null ? node.missingNode() : wanted, value));
            return;
        }
        JsonNode wanted = node.missingNode();
        if (node.get(top) instanceof ObjectNode object) {
            JsonNode was = value == null ? object.remove(rest.substring(1)) : object.replace(rest.substring(1), value);
            wanted = was == null ? wanted : was;
        } else if (node.get(top) instanceof ArrayNode list) {
            JsonNode was = list.remove(Integer.parseInt(rest.replaceAll("[^0-9]", "")));
            wanted = was == null ? wanted : was;
        }
        if (wanted.isMissingNode() || node.path(top).isEmpty()) {
            node.remove(top);
        }
        changes.add(new Adjustment(problem, wanted, value));
    }
}
