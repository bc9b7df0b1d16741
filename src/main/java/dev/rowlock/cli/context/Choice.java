package dev.rowlock.cli.context;

import dev.rowlock.cli.client.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Choice of a cluster by the options of a command.
 *
 * @param context a name in the file of contexts
 * @param tokenFile a file that has the token alone
 */
public record Choice(
        @Nullable String url,
        @Nullable String token,
        @Nullable Path tokenFile,
        @Nullable String context,
        @Nullable Path authorities) {

    /**
     * Returns the target. Options win over {@code ROWLOCK_URL} and {@code ROWLOCK_TOKEN}, these over the current
     * context, and that over the node of this machine. The token of a context or of this machine goes to its own
     * address, and to no other.
     *
     * @throws WrongContext it cannot be told, or there is no token
     */
    public Target target(Map<String, String> environment) {
        Target found = find(environment);
        if (found.token() == null) {
            requireLocalNode(environment);
            throw new WrongContext("there is no token for " + found + "; set ROWLOCK_TOKEN, name a --token-file, or"
                    + " keep one in a context: rowlock config set-context NAME --url " + found.url()
                    + " --token-file FILE");
        }
        return found;
    }

    /** Fails for lack of a node, not of a token, where nothing was said and none runs. */
    private void requireLocalNode(Map<String, String> environment) {
        if (explicit(environment) != null
                || ContextFile.read(ContextFile.place(environment)).current() != null) {
            return;
        }
        LocalNode node = LocalNode.of(environment);
        if (!node.runs()) {
            throw new WrongContext("no node that runs is to be seen in " + node.data() + ": start it, run this as its"
                    + " user, set ROWLOCK_DATA_DIR to the directory of one that runs, or name one elsewhere with"
                    + " ROWLOCK_URL and ROWLOCK_TOKEN or in a context (rowlock config set-context)");
        }
    }

    /** Returns the given address, where there must be one. */
    public String required() {
        return Objects.requireNonNull(url);
    }

    /** Returns the target, with or without a token. */
    public Target find(Map<String, String> environment) {
        Target whole = explicit(environment);
        if (whole == null) {
            ContextFile file = ContextFile.read(ContextFile.place(environment));
            whole = file.current() == null ? local(environment) : named(file, file.current());
        }
        String own = ownToken(environment);
        return new Target(
                withoutSlash(whole.url()),
                own == null ? whole.token() : own,
                authorities == null ? whole.authorities() : authorities,
                whole.from());
    }

    /** Returns what options or variables name; null: nothing. */
    private @Nullable Target explicit(Map<String, String> environment) {
        if (url != null) {
            return known(url, "--url", environment);
        }
        if (context != null) {
            return named(ContextFile.read(ContextFile.place(environment)), context);
        }
        String variable = environment.getOrDefault("ROWLOCK_URL", "");
        return variable.isEmpty() ? null : known(variable, "ROWLOCK_URL", environment);
    }

    /** Returns the target of an address that somebody wrote out; if the file has a token for it, with that one. */
    private Target known(String address, String from, Map<String, String> environment) {
        requireHttp(address, from);
        if (ownToken(environment) != null) {
            return new Target(address, null, null, from);
        }
        ContextFile file = ContextFile.read(ContextFile.place(environment));
        if (context != null) {
            file.get(context);
        }
        for (Map.Entry<String, NamedContext> one : file.contexts().entrySet()) {
            boolean meant = context == null || context.equals(one.getKey());
            if (meant && withoutSlash(one.getValue().url()).equals(withoutSlash(address))) {
                Target named = named(file, one.getKey());
                return new Target(address, named.token(), named.authorities(), from);
            }
        }
        LocalNode local = LocalNode.of(environment);
        return new Target(address, local.url().equals(withoutSlash(address)) ? local.token() : null, null, from);
    }

    private static Target local(Map<String, String> environment) {
        LocalNode node = LocalNode.of(environment);
        return new Target(node.url(), node.token(), null, node.from());
    }

    private static Target named(ContextFile file, String name) {
        NamedContext named = file.get(name);
        String from = "context " + name;
        requireHttp(named.url(), from);
        String secret = named.tokenFile() == null ? named.token() : read(file, named.tokenFile(), from);
        @Nullable Path trusted = named.authorities() == null ? null : beside(file, named.authorities());
        return new Target(named.url(), secret, trusted, from);
    }

    private static Path beside(ContextFile file, String path) {
        return file.path().resolveSibling(path);
    }

    private static String read(ContextFile file, String path, String from) {
        return read(beside(file, path), "token-file of " + from);
    }

    /** Returns the token of the options, or else of the environment; null if neither names one. */
    private @Nullable String ownToken(Map<String, String> environment) {
        if (token != null) {
            return token;
        }
        if (tokenFile != null) {
            return read(tokenFile, "--token-file");
        }
        String variable = environment.getOrDefault("ROWLOCK_TOKEN", "");
        return variable.isEmpty() || context != null ? null : variable;
    }

    private static String read(Path file, String what) {
        try {
            String text = Files.readString(file).strip();
            if (text.isEmpty() || text.lines().count() > 1) {
                throw new WrongContext(what + ": " + file + " must have one line, the token");
            }
            return text;
        } catch (IOException e) {
            throw new WrongContext(what + ": " + file + " cannot be read: "
                    + (e instanceof NoSuchFileException ? "there is no such file" : e.getMessage()));
        }
    }

    static void requireHttp(String url, String from) {
        if (!url.matches("https?://[^/\\s?#@]+/*")) {
            throw new WrongContext("the address \"" + url + "\" (" + from + ") must be one like http://127.0.0.1:7575"
                    + " or https://rowlock.example.com, without a path");
        }
    }

    private static String withoutSlash(String url) {
        return url.replaceFirst("/+$", "");
    }
}
