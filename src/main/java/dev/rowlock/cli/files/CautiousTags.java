package dev.rowlock.cli.files;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Which texts need quotes, so that no reader takes them for something else, whichever YAML it reads. */
final class CautiousTags extends Resolver {

    /** {@code y} and {@code n} are flags to the letter of YAML 1.1, and 1.2 has numbers that it does not know. */
    private static final Pattern FLAG = Pattern.compile("[yYnN]");

    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9][0-9_.:]*(?:[eE][-+]?[0-9]+)?|0[ox][0-9a-fA-F_]+");

    @Override
    protected void addImplicitResolvers() {
        super.addImplicitResolvers();
        addImplicitResolver(Tag.BOOL, FLAG, "yYnN");
        addImplicitResolver(Tag.FLOAT, CoreTags.DECIMAL, "-+.0123456789");
        addImplicitResolver(Tag.FLOAT, NUMBER, "-+0123456789");
    }
}
