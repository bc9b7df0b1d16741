package dev.rowlock.freeze.request;

import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.access.Permission;
import dev.rowlock.access.Reach;
import dev.rowlock.access.Role;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeJson;
import dev.rowlock.freeze.FreezeJson.FreezeState;
import dev.rowlock.freeze.FreezeRequest;
import dev.rowlock.freeze.FreezeRequest.FreezeChange;
import dev.rowlock.freeze.FreezeScope;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.freeze.store.FreezeStore.FreezeAt;
import dev.rowlock.freeze.store.FreezeStore.SavedFreeze;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Freezes, as people manage them. Who may make one may change it and end it. Thread-safe. */
public final class FreezeRequests {

    private final FreezeStore store;
    private final Runnable changed;
    private final OnBehalf asker;

    /** @param changed called when a freeze was changed */
    public FreezeRequests(FreezeStore store, Runnable changed) {
        this(store, changed, OnBehalf.OF_NOBODY);
    }

    private FreezeRequests(FreezeStore store, Runnable changed, OnBehalf asker) {
        this.store = store;
        this.changed = changed;
        this.asker = asker;
    }

    /** Returns a view for a caller: freezes of other namespaces alone are left out, and every change is audited. */
    public FreezeRequests by(Caller caller) {
        return new FreezeRequests(store, changed, new OnBehalf(caller));
    }

    /**
     * Lists freezes, newest first.
     *
     * @param state null: any
     */
    public List<FreezeAt> list(@Nullable Long before, int most, @Nullable FreezeState state) {
        return store.list(
                before,
                most,
                (freeze, now) -> isSeen(freeze) && (state == null || FreezeJson.state(freeze, now) == state));
    }

    /** @throws Refused there is none */
    public FreezeAt get(long id) {
        return store.find(id).filter(at -> isSeen(at.freeze())).orElseThrow(() -> missing(id));
    }

    /**
     * Makes a freeze.
     *
     * @throws dev.rowlock.access.Forbidden it may cover jobs of namespaces that the caller does not reach
     */
    public FreezeAt add(FreezeRequest asked) {
        requireReach(asked.scope());
        return saved(store.add(asked, asker.audit()), 0);
    }

    /** @throws Refused there is none, or it is over */
    public FreezeAt change(long id, FreezeChange asked) {
        get(id);
        return saved(store.change(id, asked, freeze -> requireReach(freeze.scope()), asker.audit()), id);
    }

    /** @throws Refused there is none */
    public void end(long id) {
        get(id);
        store.end(id, freeze -> requireReach(freeze.scope()), asker.audit());
        changed.run();
    }

    private FreezeAt saved(SavedFreeze result, long id) {
        if (result.refused() == null) {
            changed.run();
            return Objects.requireNonNull(result.saved());
        }
        throw switch (result.refused()) {
            case NOT_THERE -> missing(id);
            case OVER -> new Refused(Reason.CONFLICT, "freeze " + id + " is over; make another");
            case TOO_MANY ->
                new Refused(
                        Reason.CONFLICT, "there are 100 freezes that are not over, as many as may be; end some first");
        };
    }

    private boolean isSeen(Freeze freeze) {
        return asker.within().isEmpty() || freeze.scope().concerns(asker.within());
    }

    private void requireReach(FreezeScope scope) {
        Caller caller = asker.caller();
        if (caller == null || !caller.isLimited() || scope.isWithin(asker.within())) {
            return;
        }
        Stream.concat(scope.namespaces().stream(), scope.jobs().stream().map(job -> job.substring(0, job.indexOf('/'))))
                .forEach(caller::requireNamespace);
        caller.require(Permission.of(Role.OPERATOR, Reach.CLUSTER));
    }

    private static Refused missing(long id) {
        return new Refused(Reason.NOT_FOUND, "there is no freeze " + id);
    }
}
