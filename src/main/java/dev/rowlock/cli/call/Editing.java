package dev.rowlock.cli.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text that somebody has in an editor until it is accepted, or given up. */
public final class Editing {

    /** Beginning of the lines in which it is said why a text was not accepted. */
    private static final String SAID = "# refused: ";

    private final Surroundings around;
    private final Path file;
    private final String given;
    private String last;

    /** Check of whether a text is acceptable. */
    @FunctionalInterface
    public interface TextCheck {
        /** @return what is wrong; empty if it was accepted */
        List<String> of(String text);
    }

    private Editing(Surroundings around, Path file, String given) {
        this.around = around;
        this.file = file;
        this.given = given;
        this.last = given;
    }

    /**
     * Lets somebody edit a text until it is accepted.
     *
     * @return the accepted text; null: it was left as it was
     * @throws CommandFailed it was given up; the text is kept
     */
    public static @Nullable String edit(Surroundings around, String text, TextCheck check) {
        try {
            Path file = Files.createTempFile("rowlock-", ".yaml");
            Files.writeString(file, text);
            return new Editing(around, file, text).until(check);
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.FAILED, "the text cannot be edited: " + e.getMessage());
        }
    }

    private @Nullable String until(TextCheck check) throws IOException {
        while (true) {
            open();
            String text = withoutRemarks(Files.readString(file));
            if (text.equals(given) || text.isBlank()) {
                Files.delete(file);
                return null;
            }
            if (text.equals(last)) {
                throw given("it is still as it was refused");
            }
            List<String> problems = checked(check, text);
            if (problems.isEmpty()) {
                Files.delete(file);
                return text;
            }
            last = text;
            Files.writeString(file, remarks(problems) + text);
            problems.forEach(around.err()::println);
        }
    }

    /** Checks the text; whatever goes wrong, it is kept, so that nobody has to write it again. */
    private List<String> checked(TextCheck check, String text) {
        try {
            return check.of(text);
        } catch (RuntimeException e) {
            around.err().println("the text is kept in " + file);
            throw e;
        }
    }

    private CommandFailed given(String why) {
        return new CommandFailed(ExitCode.FAILED, why + "; nothing was changed, and the text is kept in " + file);
    }

    /** Opens the editor through a shell, as its setting may have arguments, such as {@code code --wait}. */
    private void open() throws IOException {
        String editor = editor();
        int exitCode = around.programs().run(List.of("sh", "-c", editor + " \"$1\"", "editor", file.toString()));
        if (exitCode != 0) {
            String why = "the editor (" + editor + ") ended with " + exitCode;
            if (!Files.exists(file) || Files.readString(file).equals(given)) {
                Files.deleteIfExists(file);
                throw new CommandFailed(ExitCode.FAILED, why + "; nothing was changed");
            }
            throw given(why);
        }
    }

    private String editor() {
        for (String name : List.of("VISUAL", "EDITOR")) {
            String set = around.environment().getOrDefault(name, "");
            if (!set.isBlank()) {
                return set;
            }
        }
        if (!around.canAsk()) {
            throw new CommandFailed(ExitCode.USAGE, "there is no terminal for an editor; set EDITOR to a program");
        }
        return "vi";
    }

    private static String remarks(List<String> problems) {
        return problems.stream().flatMap(String::lines).map(line -> SAID + line).collect(Collectors.joining("\n"))
                + "\n";
    }

    private static String withoutRemarks(String text) {
        String rest = text;
        while (rest.startsWith(SAID)) {
            rest = rest.substring(rest.indexOf('\n') < 0 ? rest.length() : rest.indexOf('\n') + 1);
        }
        return rest;
    }
}
