package dev.rowlock.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.yaml.Located.Position;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads YAML of settings, of jobs and of values alike. Anchors and merge keys are resolved: who writes files by hand
 * repeats nothing.
 */
public final class YamlText {

    /** A number with a fraction or an exponent. */
    public static final Pattern DECIMAL =
            Pattern.compile("[-+]?(?:\\.[0-9]+|(?:0|[1-9][0-9]*)\\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
                    + "|[-+]?(?:0|[1-9][0-9]*)[eE][-+]?[0-9]+");

    private static final Pattern FLAG = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Pattern WHOLE = Pattern.compile("[-+]?(?:0|[1-9][0-9]*)");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** An anchor within an anchor multiplies: a short text could say more than fits into memory. */
    private static final int MOST_NODES = 2_000_000;

    private static final int DEEPEST = 50;
    private static final int LONGEST = 64 << 20;

    /**
     * Words that are no texts, as YAML 1.2 has it: {@code yes}, {@code on} and a time are texts, and so is {@code 027},
     * which YAML 1.1 would take for 23.
     */
    private static final class CoreTags extends Resolver {

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, FLAG, "tTfF");
            addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
            addImplicitResolver(Tag.FLOAT, DECIMAL, "-+.0123456789");
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }

    private final String file;
    private final Map<String, Position> places = new HashMap<>();
    private int nodes;

    private YamlText(String file) {
        this.file = file;
    }

    /**
     * Reads a text that has to be one document.
     *
     * @param file the name of the text in what is said of a mistake
     * @return missing if there is nothing in it
     * @throws WrongFiles it is no YAML, or more than one document
     */
    public static JsonNode one(String file, String text) {
        List<Located> documents = read(file, text);
        if (documents.size() > 1) {
            throw new WrongFiles(documents.get(1).at(""), "there is more than one document");
        }
        return documents.isEmpty()
                ? MissingNode.getInstance()
                : documents.get(0).tree();
    }

    /**
     * Reads all documents of a text.
     *
     * @throws WrongFiles it is no YAML
     */
    public static List<Located> read(String file, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        options.setNestingDepthLimit(DEEPEST);
        options.setCodePointLimit(LONGEST);
        List<Located> documents = new ArrayList<>();
        try {
            Composer composer = new Composer(new ParserImpl(new StreamReader(text), options), new CoreTags(), options);
            while (composer.checkNode()) {
                documents.add(new YamlText(file).document(composer.getNode()));
            }
            return documents;
        } catch (MarkedYAMLException e) {
            throw new WrongFiles(place(file, e.getProblemMark()), said(e) + remedy(text, e.getProblemMark()));
        } catch (YAMLException e) {
            String what = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
            throw new WrongFiles(new Position(file, 1, 1), "this is no YAML: " + what);
        }
    }

    private static String said(MarkedYAMLException e) {
        String problem = Objects.requireNonNullElse(e.getProblem(), "this is not understood");
        return e.getContext() == null ? problem : e.getContext() + ": " + problem;
    }

    /** Returns the usual cause of what cannot be read. */
    private static String remedy(String text, @Nullable Mark mark) {
        int line = mark == null ? 0 : mark.getLine();
        String there = text.lines().skip(line).findFirst().orElse("");
        if (there.matches(".*?[:-]\\s+[*@%&!`].*")) {
            return "; a value that begins with a sign such as * or @ needs quotes, as in schedule: \"*/5 * * * *\"";
        }
        if (there.contains("\t")) {
            return "; indent with blanks, not with tabs";
        }
        return there.matches(".*?:\\s.*:\\s.*") ? "; a value with a colon and a blank in it needs quotes" : "";
    }

    private Located document(Node root) {
        places.put("", position(root));
        return new Located(read(root, "", 0), places);
    }

    private JsonNode read(Node node, String path, int depth) {
        if (depth > DEEPEST || ++nodes > MOST_NODES) {
            throw new WrongFiles(
                    position(node), "this says too much, as an anchor refers to itself, or to many others");
        }
        if (node instanceof MappingNode mapping) {
            ObjectNode object = NODES.objectNode();
            addMerged(mapping, object, path, depth);
            addFields(mapping, object, path, depth);
            return object;
        }
        if (node instanceof SequenceNode sequence) {
            ArrayNode array = NODES.arrayNode();
            for (Node element : sequence.getValue()) {
                String at = Located.element(path, array.size());
                places.put(at, position(element));
                array.add(read(element, at, depth + 1));
            }
            return array;
        }
        return scalar((ScalarNode) node);
    }

    /** Adds what {@code <<} names: it gives way to what the mapping itself says, and the first of several wins. */
    private void addMerged(MappingNode mapping, ObjectNode object, String path, int depth) {
        for (NodeTuple field : mapping.getValue()) {
            if (!field.getKeyNode().getTag().equals(Tag.MERGE)) {
                continue;
            }
            Node value = field.getValueNode();
            List<Node> merged = value instanceof SequenceNode several
                    ? new ArrayList<>(several.getValue())
                    : new ArrayList<>(List.of(value));
            Collections.reverse(merged);
            for (Node one : merged) {
                if (!(read(one, path, depth + 1) instanceof ObjectNode said)) {
                    throw new WrongFiles(position(value), "<< merges mappings, and this is none");
                }
                object.setAll(said);
            }
        }
    }

    private void addFields(MappingNode mapping, ObjectNode object, String path, int depth) {
        Map<String, Position> own = new HashMap<>();
        for (NodeTuple field : mapping.getValue()) {
            Node key = field.getKeyNode();
            if (key.getTag().equals(Tag.MERGE)) {
                continue;
            }
            if (!(key instanceof ScalarNode name)) {
                throw new WrongFiles(position(key), "the name of a field must be a text");
            }
            Position first = own.put(name.getValue(), position(key));
            if (first != null) {
                throw new WrongFiles(position(key), name.getValue() + " is here twice, first in line " + first.line());
            }
            String at = Located.field(path, name.getValue());
            places.put(at, position(key));
            object.set(name.getValue(), read(field.getValueNode(), at, depth + 1));
        }
    }

    private JsonNode scalar(ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (tag.equals(Tag.STR)) {
            return NODES.textNode(text);
        }
        if (tag.equals(Tag.NULL)) {
            return NODES.nullNode();
        }
        if (tag.equals(Tag.BOOL) && FLAG.matcher(text).matches()) {
            return NODES.booleanNode(text.toLowerCase(Locale.ROOT).equals("true"));
        }
        if (tag.equals(Tag.INT) && WHOLE.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            return number.bitLength() < Long.SIZE ? NODES.numberNode(number.longValue()) : NODES.numberNode(number);
        }
        if (tag.equals(Tag.FLOAT) && DECIMAL.matcher(text).matches()) {
            return NODES.numberNode(new BigDecimal(text));
        }
        throw new WrongFiles(position(node), "the tag " + tag + " is not understood; leave it out");
    }

    private Position position(Node node) {
        return place(file, node.getStartMark());
    }

    private static Position place(String file, @Nullable Mark mark) {
        return mark == null ? new Position(file, 1, 1) : new Position(file, mark.getLine() + 1, mark.getColumn() + 1);
    }
}
