package dev.rowlock.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.io.OutputStream;

/** Writers of JSON and YAML whose text is the same for the same answer, so that it can be compared and kept. */
public final class Generators {

    private Generators() {}

    /** Makes a writer of JSON with two blanks for each level. */
    static JsonGenerator json(OutputStream to) throws IOException {
        JsonGenerator generator = new JsonFactory().createGenerator(to);
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        Separators separators =
                Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);
        DefaultPrettyPrinter pretty = new DefaultPrettyPrinter(separators);
        pretty.indentObjectsWith(lines);
        pretty.indentArraysWith(lines);
        generator.setPrettyPrinter(pretty);
        return generator;
    }

    /** Makes a writer of YAML with as few quotes as possible; a text that looks like a number keeps them. */
    public static JsonGenerator yaml(OutputStream to) throws IOException {
        return YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
                .build()
                .createGenerator(to);
    }
}
