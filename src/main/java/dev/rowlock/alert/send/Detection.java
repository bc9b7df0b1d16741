package dev.rowlock.alert.send;

import dev.rowlock.alert.RuleBook;
import dev.rowlock.alert.store.Evaluation;
import dev.rowlock.alert.store.Evaluation.EvaluationProgress;
import dev.rowlock.alert.store.Evaluation.Todo;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.alert.store.TimedEvaluation;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Database;
import dev.rowlock.node.HeldClaim;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import dev.rowlock.task.history.SoleClaim;
import java.time.Duration;

/**
 * Detection of alerts, on one node at a time: from history, as it is counted, and every few seconds from what passes
 * with time. Without rules it only notes how far history is.
 */
public final class Detection implements Step {

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(2);
    private static final Duration OTHERS_TURN = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
    /** Time between two looks while there are no rules and pings. */
    private static final Duration NOBODY_ASKS = Duration.ofMinutes(1);

    private static final int AT_ONCE = 500;
    private static final String CLAIM = "alerts-claim";

    private final NodeContext node;
    private final RuleStore rules;
    private final Evaluation evaluation;
    private final TimedEvaluation timed;
    private final HeldClaim claim;
    private final Runnable raised;

    private RuleBook book = RuleBook.NONE;
    private long lookedNanos;
    private boolean lookIsNext = true;

    /** @param raised called when there may be something to send */
    public Detection(NodeContext node, Database database, Runnable raised) {
        this.node = node;
        this.rules = new RuleStore(database);
        this.evaluation = new Evaluation(database);
        this.timed = new TimedEvaluation(database);
        this.claim = new HeldClaim(node.nanos(), new SoleClaim(database, CLAIM));
        this.raised = raised;
    }

    @Override
    public Pass runOnce() {
        Trust trust = node.lease().current().orElse(null);
        if (trust == null || !node.clock().isKnown() || !claim.isHeldBy(trust.sessionId())) {
            return Pass.rest(OTHERS_TURN);
        }
        book = rules.book(book);
        Todo todo = evaluation.todo();
        EvaluationProgress read = todo.behind() ? evaluation.history(book, AT_ONCE) : EvaluationProgress.ALL;
        if (read != EvaluationProgress.ALL) {
            return Pass.MORE;
        }
        Duration looksAgain = book.isEmpty() && !todo.pings() ? NOBODY_ASKS : LOOK_AGAIN;
        if (lookIsNext || since(lookedNanos) >= looksAgain.toNanos()) {
            lookIsNext = timed.look(book) != EvaluationProgress.ALL;
            lookedNanos = node.nanos().getAsLong();
        }
        raised.run();
        if (lookIsNext) {
            return Pass.MORE;
        }
        return Pass.rest(book.isEmpty() ? LOOK_AGAIN : BETWEEN_PASSES);
    }

    private long since(long nanos) {
        return node.nanos().getAsLong() - nanos;
    }
}
