package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.Editing;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.output.Format;
import dev.rowlock.yaml.WrongFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Edit of a file of jobs. The text itself is edited, so that every comment stays where it is. */
public final class FileEdit {

    private static final int DAYS = 7;

    private final Change command;
    private final Path file;

    public FileEdit(Change command, Path file) {
        this.command = command;
        this.file = file;
    }

    /** @return the exit code */
    public int run() {
        if (!file.toString().matches(".*\\.ya?ml")) {
            throw command.misunderstood(file + " is no YAML file, whose comments could be kept");
        }
        try {
            Path real = file.toRealPath();
            String before = Files.readString(real);
            List<JsonNode> plans = new ArrayList<>();
            String accepted = Editing.edit(command.around(), before, text -> refusals(text, before, real, plans));
            if (accepted == null) {
                command.say("nothing was changed");
            } else {
                tell(PlanJoining.joined(plans));
            }
            return ExitCode.DONE;
        } catch (NoSuchFileException e) {
            throw new CommandFailed(ExitCode.FAILED, "there is no file " + file);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
        }
    }

    private void tell(JsonNode plan) {
        if (!command.isForPeople()) {
            command.printer().tree(plan);
        } else if (!FileCommands.isEmpty(plan)) {
            boolean all = command.options().format() == Format.WIDE;
            new PlanText(command.printer(), DAYS, all).print(plan);
        }
        command.say(command.isDryRun() ? file + " is as it was" : file + " is written");
        if (!FileCommands.isEmpty(plan)) {
            command.say("rowlock apply -f " + file + " puts it in force");
        }
    }

    /** @return what is wrong with it; empty: it is written */
    private List<String> refusals(String text, String before, Path real, List<JsonNode> plans) {
        plans.clear();
        try {
            plans.addAll(FileCommands.plans(
                    command, new PlannedFiles(JobFiles.parse(file.toString(), text), null, DAYS, null)));
        } catch (WrongFiles e) {
            return e.sentences();
        } catch (CommandFailed e) {
            return e.sentences(); // of a node
        }
        if (!command.isDryRun()) {
            write(real, before, text);
        }
        return List.of();
    }

    /** Replaces the file as a whole, and only if it still has the text that was read. */
    private void write(Path real, String before, String text) {
        try {
            if (!Files.readString(real).equals(before)) {
                throw new CommandFailed(ExitCode.FAILED, file + " has been changed by somebody else meanwhile");
            }
            Path whole = Files.createTempFile(real.getParent(), ".rowlock-", ".yaml");
            Files.writeString(whole, text);
            Files.setPosixFilePermissions(whole, Files.getPosixFilePermissions(real));
            Files.move(whole, real, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, file + " cannot be written: " + e);
        }
    }
}
