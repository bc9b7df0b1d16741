package dev.rowlock.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Names of commands, and what makes these. Each is made only when it is meant, or when there is something to say
 * about all of them: to make all takes longer than to run one.
 */
final class CommandTree {

    private final Map<String, CommandTree> below = new LinkedHashMap<>();
    private Consumer<CommandTree> fill = tree -> {};
    private final @Nullable Supplier<Object> command;
    private final String description;
    private final String example;

    private CommandTree(@Nullable Supplier<Object> command, String description, String example) {
        this.command = command;
        this.description = description;
        this.example = example;
    }

    static CommandTree root() {
        return new CommandTree(null, "", "");
    }

    /** Adds a command. */
    CommandTree leaf(String name, Supplier<Object> made) {
        below.put(name, new CommandTree(made, "", ""));
        return this;
    }

    /**
     * Adds a word that others follow.
     *
     * @param fill adds them, when they matter
     */
    CommandTree branch(String name, String says, String shown, Consumer<CommandTree> fill) {
        CommandTree branch = new CommandTree(null, says, shown);
        branch.fill = fill;
        below.put(name, branch);
        return this;
    }

    /**
     * Adds a command which others follow, too.
     *
     * @param fill adds them, when they matter
     */
    CommandTree branch(String name, Supplier<Object> made, Consumer<CommandTree> fill) {
        CommandTree branch = new CommandTree(made, "", "");
        branch.fill = fill;
        below.put(name, branch);
        return this;
    }

    private Map<String, CommandTree> below() {
        Consumer<CommandTree> filling = fill;
        fill = tree -> {};
        filling.accept(this);
        return below;
    }

    /** Returns how many of these words name a command: the rest is for it. */
    int depth(List<String> words) {
        CommandTree next = words.isEmpty() ? null : below().get(words.get(0));
        return next == null ? 0 : 1 + next.depth(words.subList(1, words.size()));
    }

    /** Adds the command that the words mean to its parent; if they mean none, all that they could. */
    void addTo(CommandLine parent, List<String> words) {
        String first = words.isEmpty() ? "" : words.get(0);
        below().forEach((name, tree) -> {
            if (name.equals(first)) {
                parent.addSubcommand(name, tree.made(words.subList(1, words.size())));
            } else if (!below().containsKey(first)) {
                parent.addSubcommand(name, tree.made(null));
            }
        });
    }

    /** Adds all commands, with all that is below them. */
    void addAllTo(CommandLine parent) {
        below().forEach((name, tree) -> {
            CommandLine line = tree.made(null);
            tree.addAllTo(line);
            parent.addSubcommand(name, line);
        });
    }

    /** @param words null: nobody looks at what is below */
    private CommandLine made(@Nullable List<String> words) {
        CommandLine line;
        if (command == null) {
            CommandSpec spec = CommandSpec.create();
            spec.usageMessage().description(description).footer(example);
            line = new CommandLine(spec);
        } else {
            line = new CommandLine(command.get());
        }
        if (words != null) {
            addTo(line, words);
        }
        return line;
    }
}
