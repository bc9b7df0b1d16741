package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Judges what requests of operators were answered: each of them is sound, whatever goes wrong beside it. */
final class Answers {

    private static final Set<Integer> EXPECTED = Set.of(404, 409, 412);

    private final Findings findings;
    private final List<Refusal> refusals = new ArrayList<>();

    /** An answer 503. */
    record Refusal(String what, long uptimeMillis, String detail) {}

    Answers(Findings findings) {
        this.findings = findings;
    }

    List<Refusal> refusals() {
        return refusals;
    }

    void judge(String what, int status, String answer) {
        if (status == 503) {
            refusals.add(new Refusal(what, Uptime.millis(), answer));
        } else if (status >= 500) {
            findings.add(Findings.Kind.SERVER_ERROR, what + " was answered " + status + ": " + answer);
        } else if (status >= 400
                && !EXPECTED.contains(status)
                && !isForAnotherNode(what, status, answer)
                && !isTooLate(status, answer)) {
            findings.add(
                    Findings.Kind.SERVER_ERROR,
                    "a sound request, " + what + ", was answered " + status + ": " + answer);
        }
    }

    /** A pause or a freeze that was over before the request arrived: the node was frozen, or busy. */
    private static boolean isTooLate(int status, String answer) {
        return status == 422 && (answer.contains("must lie ahead") || answer.contains("must be later than"));
    }

    /** A run on a node whose labels its job does not accept at the moment. */
    private static boolean isForAnotherNode(String what, int status, String answer) {
        return status == 422 && what.endsWith("/run") && answer.contains("\"node\"");
    }
}
