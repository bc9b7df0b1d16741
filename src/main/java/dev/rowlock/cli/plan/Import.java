package dev.rowlock.cli.plan;

import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.output.Format;
import dev.rowlock.schedule.Zones;
import dev.rowlock.yaml.WrongFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Command that writes the entries of another scheduler as jobs. Without {@code --apply} it changes nothing. */
abstract class Import extends Change.Dangerous {

    private static final int DAYS = 7;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = "default",
            description = "What the jobs belong to; default: ${DEFAULT-VALUE}.")
    private String namespace = "default";

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "The zone of the host that they come from; default: that of this machine.")
    private @Nullable String zone;

    @Option(
            names = "--shadow",
            arity = "0",
            description = "Make jobs that run nothing, so that rowlock shadow report can compare when they would have.")
    private boolean shadow;

    @Option(
            names = "--apply",
            arity = "0",
            description = "Put the jobs in force, after showing what that changes; otherwise nothing is changed.")
    private boolean apply;

    /** Adds what there is. */
    abstract void read(ImportText to);

    /** Says why nothing was found, and what to give instead. */
    abstract String nothing();

    @Override
    protected final int run() {
        if (zone != null && !Zones.isNamed(zone)) {
            throw misunderstood("--zone: " + Zones.problem(zone));
        }
        ImportText text = new ImportText(namespace, shadow);
        read(text);
        text.finish();
        if (!apply) {
            if (options().format() == Format.JSON) {
                printer().tree(text.tree());
            } else {
                around().out().print(text.text());
            }
        }
        say(counted(text.jobs(), "job", "jobs")
                + (text.lost() == 0
                        ? ""
                        : "; " + counted(text.lost(), "entry is", "entries are") + " not carried over: "
                                + (apply ? "without --apply, " : "") + "the comments say why"));
        if (text.jobs() == 0) {
            throw new CommandFailed(
                    ExitCode.FAILED, text.lost() == 0 ? nothing() : "nothing that was read can become a job");
        }
        return apply ? apply(text) : ExitCode.DONE;
    }

    private static String counted(int many, String one, String several) {
        return many + " " + (many == 1 ? one : several);
    }

    private int apply(ImportText text) {
        try {
            PlannedFiles jobs = new PlannedFiles(JobFiles.parse("what was imported", text.text()), null, DAYS, null);
            return new InForce(this, DAYS).put(jobs, FileCommands.plans(this, jobs), true);
        } catch (WrongFiles e) {
            throw new CommandFailed(ExitCode.FAILED, e.sentences());
        }
    }

    /** Returns the zone of the host that the entries come from. */
    final String zone() {
        return zone == null ? ZoneId.systemDefault().getId() : zone;
    }

    /** Returns true if somebody named it. */
    final boolean hasZone() {
        return zone != null;
    }

    final boolean isShadow() {
        return shadow;
    }

    final String text(String file) {
        try {
            return TextReader.of(file, around().in());
        } catch (CharacterCodingException e) {
            throw new CommandFailed(ExitCode.FAILED, called(file) + ": this is no text in UTF-8");
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
        }
    }

    /** Reads a file in which a line in another encoding spoils nothing but itself: invalid bytes become U+FFFD. */
    final String lines(String file) {
        try {
            byte[] all = file.equals("-") ? around().in().readAllBytes() : Files.readAllBytes(Path.of(file));
            return new String(all, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
        }
    }

    static String called(String file) {
        return file.equals("-") ? "standard input" : file;
    }
}
