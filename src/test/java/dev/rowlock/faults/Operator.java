package dev.rowlock.faults;

import com.google.errorprone.annotations.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A way to make code wrong. Finds places by what lines look like, and so some that are none: a reader decides. */
enum Operator {
    CONDITION_NEGATED(Operator::negated),
    COMPARISON_SHIFTED(Operator::shifted),
    GUARD_DROPPED(Operator::guard),
    ORDER_CHANGED(Operator::order),
    EXCEPTION_SWALLOWED(Operator::swallowed),
    CONSTANT_CHANGED(Operator::constant),
    CALL_LEFT_OUT(Operator::leftOut);

    private static final int LINES_OF_A_GUARD = 5;
    private static final Pattern IF =
            Pattern.compile("(\\s*(?:} else )?(?:if|while) \\()(.*)(\\) (?:\\{|return.*;|continue;))");
    private static final Pattern TRUTH = Pattern.compile(
            "(\\s*return )(.*(?:&&|\\|\\||[=!<>]=| [<>] |\\.(?:is|contains|equals|any|none|all)\\w*\\().*)(;)");
    private static final Pattern COMPARED = Pattern.compile("(?<=\\S )(<=|>=|<|>)(?= \\S)");
    private static final Pattern WHERE = Pattern.compile("\\s*and .*");
    private static final Pattern NUMBER = Pattern.compile("(?<=[(\\s,])(\\d{1,9})(?=[),;\\s])");
    private static final Pattern ORDER_BY = Pattern.compile("(.*order by )([\\w.]+), ([\\w.]+)(.*)");
    private static final Pattern CALL =
            Pattern.compile("\\s+(?!return|throw|super|this|log\\b|assert)[a-z][\\w.]*\\(.*\\);");

    private final Finding finding;

    Operator(Finding finding) {
        this.finding = finding;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Finds all changes of one file that this way leads to. */
    List<Change> find(List<String> lines) {
        List<Change> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).strip().matches("(//|\\*|/\\*|import |package |--).*")) {
                finding.at(lines, i).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Change> negated(List<String> lines, int at) {
        Matcher condition = IF.matcher(lines.get(at));
        if (condition.matches() && isBalanced(condition.group(2))) {
            return one(at, condition.group(1) + "!(" + condition.group(2) + ")" + condition.group(3));
        }
        Matcher truth = TRUTH.matcher(lines.get(at));
        if (truth.matches() && isBalanced(truth.group(2)) && !truth.group(2).matches(".*( \\? |->|stream).*")) {
            return one(at, truth.group(1) + "!(" + truth.group(2) + ")" + truth.group(3));
        }
        return Optional.empty();
    }

    private static Optional<Change> shifted(List<String> lines, int at) {
        Matcher compared = COMPARED.matcher(lines.get(at));
        if (!compared.find()) {
            return Optional.empty();
        }
        String other = compared.group().endsWith("=") ? compared.group().substring(0, 1) : compared.group() + "=";
        String line = lines.get(at);
        return one(at, line.substring(0, compared.start()) + other + line.substring(compared.end()));
    }

    private static Optional<Change> guard(List<String> lines, int at) {
        String line = lines.get(at);
        if (WHERE.matcher(line).matches()) {
            return Optional.of(new Change(at, at + 1, line.contains("\"\"\"") ? List.of("\"\"\")") : List.of()));
        }
        if (line.matches("\\s*if \\(.*\\) (return|continue).*;")) {
            return Optional.of(new Change(at, at + 1, List.of()));
        }
        if (!line.matches("\\s*if \\(.*\\) \\{")) {
            return Optional.empty();
        }
        String close = line.substring(0, line.indexOf("if")) + "}";
        for (int end = at + 2; end < Math.min(lines.size(), at + LINES_OF_A_GUARD); end++) {
            if (lines.get(end).equals(close)
                    && lines.get(end - 1).strip().matches("(return|throw|continue|break).*;")) {
                return Optional.of(new Change(at, end + 1, List.of()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Change> order(List<String> lines, int at) {
        Matcher ordered = ORDER_BY.matcher(lines.get(at));
        if (ordered.matches()) {
            return one(at, ordered.group(1) + ordered.group(3) + ", " + ordered.group(2) + ordered.group(4));
        }
        boolean two = at + 1 < lines.size()
                && lines.get(at).matches("\\s+[\\w.]*[Ll]ock[\\w.]*\\(.*\\);")
                && CALL.matcher(lines.get(at + 1)).matches();
        return two ? Optional.of(new Change(at, at + 2, List.of(lines.get(at + 1), lines.get(at)))) : Optional.empty();
    }

    private static Optional<Change> swallowed(List<String> lines, int at) {
        if (!lines.get(at).strip().matches("throw .*;")) {
            return Optional.empty();
        }
        for (int before = at - 1; before >= Math.max(0, at - LINES_OF_A_GUARD); before--) {
            if (lines.get(before).contains("catch (")) {
                return Optional.of(new Change(at, at + 1, List.of()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Change> constant(List<String> lines, int at) {
        String line = lines.get(at);
        Matcher number = NUMBER.matcher(line);
        boolean inlined = line.contains("static final") && !line.contains("private");
        if (inlined || line.contains("\"") || !number.find()) {
            return Optional.empty();
        }
        long value = Long.parseLong(number.group());
        return one(
                at,
                line.substring(0, number.start())
                        + (value < 10 ? value + 1 : value * 2)
                        + line.substring(number.end()));
    }

    private static Optional<Change> leftOut(List<String> lines, int at) {
        boolean begins = at > 0 && lines.get(at - 1).strip().matches(".*[;{}]|");
        return begins && CALL.matcher(lines.get(at)).matches()
                ? Optional.of(new Change(at, at + 1, List.of()))
                : Optional.empty();
    }

    private static Optional<Change> one(int at, String with) {
        return Optional.of(new Change(at, at + 1, List.of(with)));
    }

    private static boolean isBalanced(String text) {
        int open = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (open < 0) {
                return false;
            }
        }
        return open == 0;
    }

    /** A way to look whether a line is a place. */
    @Immutable
    private interface Finding {

        Optional<Change> at(List<String> lines, int at);
    }

    /**
     * A change of lines.
     *
     * @param from the first, counted from 0
     * @param to the one after the last
     */
    record Change(int from, int to, List<String> with) {}
}
