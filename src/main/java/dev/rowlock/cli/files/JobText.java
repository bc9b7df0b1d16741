package dev.rowlock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.YamlText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;
import org.yaml.snakeyaml.serializer.Serializer;

/** Jobs as files say them: the same text for the same job, whoever wrote it before. */
public final class JobText {

    /**
     * Fields that are said although they have their default: whose job it is, and when it runs. The zone of jobs that
     * name none is a setting of the nodes.
     */
    private static final Set<String> ALWAYS = Set.of("namespace", "name", "schedule", "zone", "command");

    /** Characters that some readers take for the end of a line, or for none at all. */
    private static final Pattern ODD_BREAKS = Pattern.compile("[\\r\\x85\\u2028\\u2029\\ufeff]");

    /** Words that need quotes, so that no reader takes them for something else, whichever YAML it reads. */
    private static final class CautiousTags extends Resolver {

        /** {@code y} and {@code n} are flags to the letter of YAML 1.1, and 1.2 has numbers that it does not know. */
        private static final Pattern FLAG = Pattern.compile("[yYnN]");

        private static final Pattern NUMBER =
                Pattern.compile("[-+]?[0-9][0-9_.:]*(?:[eE][-+]?[0-9]+)?|0[ox][0-9a-fA-F_]+");

        @Override
        protected void addImplicitResolvers() {
            super.addImplicitResolvers();
            addImplicitResolver(Tag.BOOL, FLAG, "yYnN");
            addImplicitResolver(Tag.FLOAT, YamlText.DECIMAL, "-+.0123456789");
            addImplicitResolver(Tag.FLOAT, NUMBER, "-+0123456789");
        }
    }

    private final Map<String, JsonNode> known = new LinkedHashMap<>();
    private final Set<String> leftOut = new HashSet<>();

    /** Makes one by the fields that this version knows. */
    public JobText() {
        for (Map.Entry<String, JsonNode> field : JobSchema.fields()) {
            if (field.getValue().path("readOnly").asBoolean() || field.getKey().startsWith("$")) {
                leftOut.add(field.getKey());
            } else {
                known.put(field.getKey(), field.getValue());
            }
        }
    }

    /** Returns what a file has to say of a job that the API answered; what this version does not know stays. */
    public ObjectNode definition(JsonNode job) {
        ObjectNode said = Trees.object();
        known.forEach((name, schema) -> add(said, name, job.path(name), schema));
        for (Map.Entry<String, JsonNode> field : job.properties()) {
            if (!known.containsKey(field.getKey()) && !leftOut.contains(field.getKey())) {
                add(said, field.getKey(), field.getValue(), MissingNode.getInstance());
            }
        }
        return said;
    }

    private static void add(ObjectNode said, String name, JsonNode value, JsonNode schema) {
        boolean isEmpty = value.isMissingNode() || value.isNull() || (value.isContainerNode() && value.isEmpty());
        if (!isEmpty && (ALWAYS.contains(name) || !same(value, schema.get("default")))) {
            said.set(name, value.isObject() && schema.has("properties") ? within(value, schema) : value);
        }
    }

    /** Returns an object with fields of its own, as {@code retry}. */
    private static ObjectNode within(JsonNode value, JsonNode schema) {
        ObjectNode said = Trees.object();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            add(
                    said,
                    field.getKey(),
                    field.getValue(),
                    schema.path("properties").path(field.getKey()));
        }
        return said;
    }

    /** Compares values whose numbers may be of another size. */
    private static boolean same(JsonNode value, @Nullable JsonNode otherwise) {
        return otherwise != null && Trees.text(value).equals(Trees.text(otherwise));
    }

    /** Returns it as YAML that every reader takes for the same, with a line break at its end. */
    public static String yaml(JsonNode tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setIndent(2);
        options.setIndicatorIndent(2);
        options.setIndentWithIndicator(true);
        options.setSplitLines(false);
        options.setLineBreak(DumperOptions.LineBreak.UNIX);
        StringWriter text = new StringWriter();
        try {
            Serializer to = new Serializer(new Emitter(text, options), new CautiousTags(), options, null);
            to.open();
            to.serialize(node(tree));
            to.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static Node node(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> {
                List<NodeTuple> fields = new ArrayList<>();
                value.properties().forEach(f -> fields.add(new NodeTuple(text(f.getKey()), node(f.getValue()))));
                yield new MappingNode(Tag.MAP, fields, fields.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
            }
            case ARRAY -> {
                List<Node> elements = new ArrayList<>();
                value.forEach(element -> elements.add(node(element)));
                boolean isShort = value.size() < 20 && allNumbers(value);
                yield new SequenceNode(Tag.SEQ, elements, isShort ? FlowStyle.FLOW : FlowStyle.BLOCK);
            }
            case STRING -> text(value.textValue());
            case BOOLEAN -> plain(Tag.BOOL, value);
            case NUMBER -> plain(value.isIntegralNumber() ? Tag.INT : Tag.FLOAT, value);
            default -> plain(Tag.NULL, value);
        };
    }

    private static boolean allNumbers(JsonNode list) {
        for (JsonNode element : list) {
            if (!element.isNumber()) {
                return false;
            }
        }
        return true;
    }

    private static Node plain(Tag tag, JsonNode value) {
        return new ScalarNode(tag, value.asText(), null, null, ScalarStyle.PLAIN);
    }

    private static Node text(String text) {
        ScalarStyle style = ODD_BREAKS.matcher(text).find()
                ? ScalarStyle.DOUBLE_QUOTED
                : text.indexOf('\n') >= 0 ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
        return new ScalarNode(Tag.STR, text, null, null, style);
    }
}
