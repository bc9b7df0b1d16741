package dev.rowlock.access.request;

import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.access.TokenRequest;
import dev.rowlock.access.TokenRequest.Rotation;
import dev.rowlock.access.TokenStore;
import dev.rowlock.access.TokenText;
import dev.rowlock.access.TokenView;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens, for administrators. Thread-safe. */
public final class Tokens {

    /** Name of the token that nodes generate and keep, and that {@code admin-token replace} replaces. */
    private static final String ADMIN = "admin";

    private final TokenStore store;
    private final Runnable changed;
    private final OnBehalf asker;

    /** @param changed called after each change, so that it takes effect here at once */
    public Tokens(TokenStore store, Runnable changed) {
        this(store, changed, OnBehalf.OF_NOBODY);
    }

    private Tokens(TokenStore store, Runnable changed, OnBehalf asker) {
        this.store = store;
        this.changed = changed;
        this.asker = asker;
    }

    /** Returns a view for a caller: every change is audited. */
    public Tokens by(Caller caller) {
        return new Tokens(store, changed, new OnBehalf(caller));
    }

    /** @param token is told this once, and stored nowhere */
    public record IssuedToken(TokenView view, String token) {

        /** Omits the token. */
        @Override
        public String toString() {
            return "IssuedToken[" + view + "]";
        }
    }

    /** Lists the tokens after this name, in order. */
    public List<TokenView> list(@Nullable String after, int most) {
        return store.list(after, most);
    }

    /** @throws Refused there is none of this name */
    public TokenView get(String name) {
        return store.view(name).orElseThrow(() -> noSuchToken(name));
    }

    /**
     * Creates a token.
     *
     * @throws InvalidDefinition it would have expired already
     * @throws Refused there is one of this name, or there are too many
     */
    public IssuedToken create(TokenRequest asked) {
        String name = String.valueOf(asked.name());
        if (name.equals(ADMIN)) {
            throw new Refused(
                    Reason.CONFLICT,
                    "the name admin is that of the token in the settings or the data"
                            + " directory of a node; give this one another");
        }
        Instant expires = expires(asked.expiresIn(), asked.expiresAt(), null);
        TokenText text = TokenText.make();
        TokenView wanted = new TokenView(
                name,
                String.valueOf(asked.role()),
                List.copyOf(asked.namespaces()),
                Instant.EPOCH,
                expires,
                null,
                null);
        if (!store.create(wanted, text.id(), text.hash(), asker.audit())) {
            boolean exists = store.view(name).isPresent();
            throw new Refused(
                    Reason.CONFLICT,
                    exists
                            ? "token " + name + " exists; rotate it, or delete it first"
                            : "there are " + TokenStore.MOST + " tokens, and no more are possible: delete some");
        }
        changed.run();
        return new IssuedToken(get(name), text.text());
    }

    /** @throws Refused there is none of this name, or nobody could make tokens without it */
    public void delete(String name) {
        switch (store.delete(name, name.equals(ADMIN), asker.audit())) {
            case DONE -> changed.run();
            case NOT_FOUND -> throw noSuchToken(name);
            case LAST_ADMIN -> throw lastAdmin(name, "make one first");
        }
    }

    /**
     * Creates a new token with the name, role and namespaces of an existing one.
     *
     * @throws InvalidDefinition it would have expired already
     * @throws Refused there is none of this name, it is the one that nodes keep, or nobody could make tokens after its
     *     end
     */
    public IssuedToken rotate(String name, Rotation asked) {
        TokenView before = get(name);
        if (name.equals(ADMIN)) {
            throw new Refused(
                    Reason.CONFLICT,
                    "the token admin stands in the settings or the data directory of a node: replace it there with"
                            + " \"scripts/rowlock admin-token replace\"");
        }
        Instant expires = expires(asked.expiresIn(), asked.expiresAt(), before.expiresAt());
        TokenText text = TokenText.withId(store.id(name).orElseThrow(() -> noSuchToken(name)));
        switch (store.rotate(name, text.hash(), asked.overlap(), expires, asker.audit())) {
            case DONE -> {}
            case NOT_FOUND -> throw noSuchToken(name);
            case LAST_ADMIN -> throw lastAdmin(name, "leave out its end, or make one first");
        }
        changed.run();
        return new IssuedToken(get(name), text.text());
    }

    private @Nullable Instant expires(@Nullable Duration in, @Nullable Instant at, @Nullable Instant otherwise) {
        if (in == null && at == null && otherwise == null) {
            return null;
        }
        Instant now = store.now();
        Instant expires = in != null ? now.plus(in) : at != null ? at : otherwise;
        if (expires != null && !expires.isAfter(now)) {
            String problem = at == null
                    ? "the token has expired; say how long the new one is to work, such as 90d"
                    : "lies in the past: it is " + now + " by the database's clock";
            throw new InvalidDefinition(List.of(new FieldProblem(at == null ? "expiresIn" : "expiresAt", problem)));
        }
        return expires;
    }

    private static Refused lastAdmin(String name, String remedy) {
        return new Refused(
                Reason.CONFLICT,
                "token " + name + " is the last one of role admin without namespaces and without an end, and nobody"
                        + " could make another: " + remedy);
    }

    private static Refused noSuchToken(String name) {
        return new Refused(Reason.NOT_FOUND, "there is no token " + name);
    }
}
