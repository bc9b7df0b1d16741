package dev.rowlock.cli.files;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Which words are no texts, as YAML 1.2 has it: {@code yes}, {@code on} and a time are texts, and so is {@code 027},
 * which YAML 1.1 would take for 23.
 */
final class CoreTags extends Resolver {

    static final Pattern FLAG = Pattern.compile("true|True|TRUE|false|False|FALSE");
    static final Pattern WHOLE = Pattern.compile("[-+]?(?:0|[1-9][0-9]*)");
    static final Pattern DECIMAL = Pattern.compile("[-+]?(?:\\.[0-9]+|(?:0|[1-9][0-9]*)\\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
            + "|[-+]?(?:0|[1-9][0-9]*)[eE][-+]?[0-9]+");

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
