package dev.rowlock.cli;

import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.output.Format;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Names;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converter of a word of the command line to what it means. A class, not a lambda: Java leaves an interface as old as
 * picocli's out of the class archive once a lambda has implemented it, and all that belongs to it.
 */
record Converter<T>(Function<String, T> parse) implements ITypeConverter<T> {

    static void addTo(CommandLine line) {
        line.registerConverter(When.class, new Converter<>(When::parse))
                .registerConverter(JobKey.class, new Converter<>(Converter::job))
                .registerConverter(Duration.class, new Converter<>(Converter::duration))
                .registerConverter(Format.class, new Converter<>(Converter::format))
                .registerConverter(ZoneId.class, new Converter<>(Converter::zone));
    }

    @Override
    public T convert(String word) {
        return parse.apply(word);
    }

    private static Duration duration(String text) {
        return Durations.parse(text)
                .orElseThrow(() ->
                        new TypeConversionException("\"" + text + "\" is not a duration, such as 90s, 5m or 1h30m"));
    }

    private static ZoneId zone(String text) {
        try {
            return Zones.of(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(Zones.problem(text));
        }
    }

    private static Format format(String text) {
        for (Format format : Format.values()) {
            if (format.name().equalsIgnoreCase(text)) {
                return format;
            }
        }
        throw new TypeConversionException("\"" + text + "\" is none of table, wide, json, yaml and name");
    }

    private static JobKey job(String text) {
        JobKey key = JobOptions.keyOf(text);
        String wrong = Names.namespaceProblem(key.namespace()) != null
                ? Names.namespaceProblem(key.namespace())
                : Names.jobProblem(key.name());
        if (wrong != null) {
            throw new TypeConversionException("\"" + text + "\" is not namespace/name: " + wrong);
        }
        return key;
    }
}
