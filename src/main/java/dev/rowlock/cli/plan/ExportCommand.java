package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.files.JobText;
import dev.rowlock.cli.output.Format;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.Trees;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock export}. */
@Command(
        description =
                "Writes jobs as apply reads them: YAML with a document for each, after one with the calendars; of some"
                        + " namespaces or labels, before one with those that their jobs name. With -o json, jobs alone."
                        + " Defaults are left out, and the same jobs give the same text, byte for byte.",
        footer = "rowlock export ops >ops.yaml")
@Routes({"GET /api/v1/jobs", "GET /api/v1/calendars", "GET /api/v1/calendars/{calendar}"})
public final class ExportCommand extends Remote {

    @Parameters(arity = "0..*", paramLabel = "NAMESPACE", description = "Those of these namespaces; default: all.")
    private List<String> namespaces = List.of();

    @Option(
            names = {"-l", "--label"},
            paramLabel = "NAME[=VALUE]",
            description = "Those that bear it; may be given several times.")
    private List<String> labels = List.of();

    /** Fields of a calendar that nobody sets. */
    private static final List<String> NOT_SAID = List.of("name", "version", "jobs", "createdAt", "updatedAt");

    private static final int ALL_DAYS = 7;

    private final Set<String> named = new TreeSet<>();
    private int written;

    @Override
    protected int run() {
        Printer printer = printer();
        JobText text = new JobText();
        Format format = printer.format();
        boolean isWhole = namespaces.isEmpty() && labels.isEmpty();
        if (isWhole) {
            writeCalendars(calendars(), printer);
        }
        if (namespaces.isEmpty()) {
            writeAll(null, text, printer);
        }
        for (String namespace : new TreeSet<>(namespaces)) {
            int before = written;
            writeAll(namespace, text, printer);
            if (written == before) {
                say("there is no such job in namespace " + namespace);
            }
        }
        if (!isWhole) {
            writeCalendars(named, printer);
        }
        if (format == Format.JSON) {
            printer.line(written == 0 ? "[]" : "\n]");
        } else if (written == 0 && format != Format.NAME) {
            printer.line("jobs: []");
        }
        if (written == 0 && namespaces.isEmpty()) {
            say("there is no such job");
        }
        if (printer.isCut()) { // half of it must not be taken for all
            throw new CommandFailed(ExitCode.FAILED, "the export is not complete: nobody takes the rest of it");
        }
        return ExitCode.DONE;
    }

    private Set<String> calendars() {
        Set<String> all = new TreeSet<>();
        pages(
                () -> Ask.get("/calendars"),
                page -> page.forEach(calendar -> all.add(calendar.path("name").asText())));
        return all;
    }

    /** Writes calendars as one document; a list of jobs in JSON has no place for them. */
    private void writeCalendars(Set<String> names, Printer printer) {
        if (names.isEmpty() || printer.format() == Format.NAME || printer.format() == Format.JSON) {
            return;
        }
        ObjectNode document = Trees.object();
        ObjectNode calendars = document.putObject("calendars");
        for (String name : names) {
            ObjectNode whole = (ObjectNode) ask(Ask.get("/calendars/{}", name));
            NOT_SAID.forEach(whole::remove);
            whole.properties().removeIf(field -> isUnset(field.getKey(), field.getValue()));
            calendars.set(name, whole);
        }
        around().out().print((written++ == 0 ? "" : "---\n") + JobText.yaml(document));
    }

    private static boolean isUnset(String field, JsonNode value) {
        boolean isOpenAllWeek = field.equals("week") && value.size() == ALL_DAYS;
        boolean isEmptyList = !field.equals("week") && value.isArray() && value.isEmpty();
        return value.isNull()
                || isOpenAllWeek
                || isEmptyList
                || (value.isTextual() && value.textValue().isEmpty());
    }

    private void writeAll(@Nullable String namespace, JobText text, Printer printer) {
        pages(
                () -> {
                    Ask ask = Ask.get("/jobs").with("namespace", namespace);
                    labels.forEach(label -> ask.with("label", label));
                    return ask;
                },
                jobs -> jobs.forEach(job -> writeJob(job, text.definition(job), printer)));
    }

    /** Writes a job; in JSON one a line, so that jobs can be compared by lines. */
    private void writeJob(JsonNode job, ObjectNode definition, Printer printer) {
        boolean isFirst = written++ == 0;
        JsonNode calendar = job.path("calendar");
        if (calendar.isTextual()) {
            named.add(calendar.textValue());
        }
        calendar.forEach(one -> named.add(one.asText()));
        switch (printer.format()) {
            case NAME -> printer.line(JobViews.name(job));
            case JSON -> around().out().print((isFirst ? "[\n" : ",\n") + Trees.text(definition));
            default -> around().out().print((isFirst ? "" : "---\n") + JobText.yaml(definition));
        }
    }
}
