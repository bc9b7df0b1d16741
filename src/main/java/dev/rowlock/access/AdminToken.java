package dev.rowlock.access;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Author;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's single administrator token: the one configured on the node that starts first, or one generated there
 * and kept in its data directory. Other nodes never replace it. The database stores only its hash; the log never shows
 * it.
 */
public final class AdminToken {

    private static final Logger log = LoggerFactory.getLogger(AdminToken.class);
    private static final String REFUSAL =
            "the admin.token of this node's settings (ROWLOCK_ADMIN_TOKEN) is not that of the cluster and is refused;"
                    + " give this node the cluster's token, or make this one the cluster's on purpose with"
                    + " \"scripts/rowlock admin-token replace\"";

    private final TokenStore tokens;
    private final Path file;
    private final @Nullable String configured;
    private volatile @Nullable TokenLocation place;

    /** @param configured the token of the settings; null: there is none */
    public AdminToken(TokenStore tokens, Path dataDir, @Nullable String configured) {
        this.tokens = tokens;
        this.file = dataDir.resolve("admin.token");
        this.configured = configured;
    }

    /** Location of the cluster's token, as seen from this node. */
    public enum TokenLocation {
        /** The settings of this node. */
        CONFIGURED,
        /** The file {@code admin.token} of this node. */
        FILE,
        /** The file or the settings of another node, which started first. */
        ELSEWHERE,
        /** Unknown: this node's user may not read the file. */
        UNREADABLE,
        /** Elsewhere; the token in this node's settings is a different one and is refused. */
        REFUSED
    }

    /** Sets the cluster's token if there is none. Call once the schema exists; may be repeated. */
    public TokenLocation ensure() throws IOException {
        TokenLocation found = configured == null ? ownOrElsewhere() : settleConfigured(TokenText.hash(configured));
        place = found;
        return found;
    }

    /** Describes, for people, how this node's token compared with the cluster's when the node started. */
    public String state() {
        TokenLocation found = place;
        if (found == null) {
            return "not known yet whether this node's token is that of the cluster: the database has not been asked";
        }
        return switch (found) {
            case CONFIGURED, FILE -> "that of the cluster";
            case ELSEWHERE -> "with another node; this node has none of its own";
            case UNREADABLE -> "not known: " + file + " cannot be read by this node's user";
            case REFUSED -> REFUSAL;
        };
    }

    /**
     * Returns whether this is the token in this node's settings, which differed from the cluster's when the node
     * started.
     */
    public boolean isRefusedHere(String token) {
        return place == TokenLocation.REFUSED
                && configured != null
                && MessageDigest.isEqual(
                        configured.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Replaces the cluster's token with the configured one, or with a new one, which is then in the file. If this
     * fails, either nothing was replaced or {@code admin.token.new} holds the new token.
     */
    public TokenLocation replace(Author author) throws IOException {
        if (configured != null) {
            tokens.replace(TokenCheck.ADMIN, TokenText.hash(configured), Audit.by(author));
            return TokenLocation.CONFIGURED;
        }
        String token = TokenText.secret();
        Path whole = file.resolveSibling("admin.token.new");
        FirstFile.replace(whole, token); // first, so that no failure leaves a cluster with a token that nobody knows
        tokens.replace(TokenCheck.ADMIN, TokenText.hash(token), Audit.by(author));
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        return TokenLocation.FILE;
    }

    /** Returns the file that holds a token which is not in the settings. */
    public Path file() {
        return file;
    }

    private TokenLocation settleConfigured(String hash) {
        if (tokens.claim(TokenCheck.ADMIN, hash)) {
            log.info("the admin token of this cluster is set to the one in this node's settings");
            return TokenLocation.CONFIGURED;
        }
        if (tokens.find(TokenCheck.ADMIN).filter(hash::equals).isPresent()) {
            return TokenLocation.CONFIGURED;
        }
        log.warn(REFUSAL);
        return TokenLocation.REFUSED;
    }

    private TokenLocation ownOrElsewhere() throws IOException {
        Optional<String> known = tokens.find(TokenCheck.ADMIN);
        if (Files.exists(file)) {
            try {
                return settle(known, Files.readString(file).strip(), false);
            } catch (AccessDeniedException e) {
                log.warn("{} cannot be read by this node's user; give the file to that user", file);
                return TokenLocation.UNREADABLE;
            }
        }
        if (known.isPresent()) {
            log.info("the admin token of this cluster is with the node that started first, not in {}", file);
            return TokenLocation.ELSEWHERE;
        }
        String token = TokenText.secret();
        boolean ours = FirstFile.make(file, token);
        return settle(known, ours ? token : Files.readString(file).strip(), ours);
    }

    /**
     * Claims the cluster's token with the one in the file; afterwards its hash is stored, unless the cluster has
     * another token.
     */
    private TokenLocation settle(Optional<String> known, String token, boolean ours) throws IOException {
        if (token.isEmpty()) {
            throw new IOException(file + " is empty; delete it, or put the token into it");
        }
        String hash = TokenText.hash(token);
        if (known.isEmpty() && tokens.claim(TokenCheck.ADMIN, hash)) {
            log.info("the admin token of this cluster is in {}", file);
            return TokenLocation.FILE;
        }
        if (known.or(() -> tokens.find(TokenCheck.ADMIN)).filter(hash::equals).isPresent()) {
            return TokenLocation.FILE;
        }
        if (ours) {
            Files.delete(file);
            log.info("another node has made the admin token of this cluster meanwhile; {} is removed", file);
        } else {
            log.warn("the token in {} is not that of this cluster, which is with another node", file);
        }
        return TokenLocation.ELSEWHERE;
    }
}
