package dev.rowlock.field;

import java.util.List;
import java.util.stream.Collectors;

/** Refusal of a job definition, with all that is wrong with it. */
public final class InvalidDefinition extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<FieldProblem> problems;

    public InvalidDefinition(List<FieldProblem> problems) {
        super(problems.stream().map(p -> p.field() + ": " + p.message()).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public static void throwIfAny(List<FieldProblem> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    public List<FieldProblem> problems() {
        return problems;
    }
}
