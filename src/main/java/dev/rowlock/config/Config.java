package dev.rowlock.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one node, complete and checked. {@code config/rowlock.yaml} describes each of them.
 *
 * @param embedded true: the node brings its own database, and {@code database} has no URL
 * @param dataDir absolute
 * @param adminToken null: one is made up at the first start
 * @param scheduleZone of schedules that name none
 * @param historyRetention zero: for ever
 * @param historyVersions how many versions of a job are kept at the least
 * @param historyAudit how long the audit is kept; zero: for ever
 * @param otelEndpoint where traces are sent; null: none are made
 * @param shared what should be the same on all nodes, by the names of the settings, as they are written
 * @param warnings one sentence for each variable of the environment that looks like a setting and is none
 */
public record Config(
        boolean embedded,
        DatabaseConfig database,
        HttpConfig http,
        Path dataDir,
        NodeConfig node,
        @Nullable String adminToken,
        SignInConfig signIn,
        SessionConfig session,
        SchedulerConfig scheduler,
        String scheduleZone,
        Duration misfireThreshold,
        RecoveryConfig recovery,
        Spawn spawn,
        OutputConfig output,
        SecretConfig secrets,
        Duration historyRetention,
        int historyVersions,
        Duration historyAudit,
        AlertConfig alerts,
        Duration shutdownGrace,
        MetricsConfig metrics,
        @Nullable String otelEndpoint,
        LogFormat logFormat,
        Map<String, String> shared,
        List<String> warnings) {

    /**
     * @param url null with the embedded database only
     * @param user null, as the password may be, with the embedded database only
     */
    public record DatabaseConfig(
            @Nullable String url,
            @Nullable String user,
            @Nullable String password,
            int poolSize) {

        /** Omits the password, which the URL may hold too. */
        @Override
        public String toString() {
            return "DatabaseConfig[user=" + user + ", poolSize=" + poolSize + "]";
        }
    }

    /**
     * @param port 0: any free one
     * @param tls null: requests come in plain text
     * @param allowedHosts what the {@code Host} header may say besides the address
     */
    public record HttpConfig(
            String host,
            int port,
            @Nullable TlsConfig tls,
            boolean allowPlaintext,
            List<String> allowedHosts,
            long maxBodyBytes) {

        /** Returns the URL for a client on this machine, also if the server listens on all addresses. */
        public String url(int listening) {
            return url(tls == null ? "http" : "https", host, listening);
        }

        static String url(String scheme, String host, int port) {
            String to = host.equals("0.0.0.0") ? "127.0.0.1" : host.equals("::") ? "::1" : host;
            return scheme + "://" + (to.contains(":") ? "[" + to + "]" : to) + ":" + port;
        }
    }

    /** Absolute paths of PEM files. */
    public record TlsConfig(Path certificate, Path key) {}

    public record NodeConfig(String name, int capacity, Map<String, String> labels) {}

    /**
     * Duration and means of signing in.
     *
     * @param idleTimeout at most maxAge
     * @param oidc null: with tokens only
     */
    public record SignInConfig(
            Duration idleTimeout, Duration maxAge, @Nullable OidcConfig oidc) {}

    /** @param roles by the name of a group of the provider's; not empty */
    public record OidcConfig(
            URI issuer,
            String clientId,
            String clientSecret,
            URI redirectUrl,
            List<String> scopes,
            String groupsClaim,
            Map<String, GroupRoleConfig> roles) {

        /** Omits the secret. */
        @Override
        public String toString() {
            return "OidcConfig[issuer=" + issuer + ", clientId=" + clientId + ", roles=" + roles + "]";
        }
    }

    /**
     * Role and namespaces of a group of an identity provider.
     *
     * @param role viewer, operator, editor or admin
     * @param namespaces empty: all
     */
    public record GroupRoleConfig(String role, Set<String> namespaces) {

        /** Returns the text as in the settings. */
        @Override
        public String toString() {
            return namespaces.isEmpty() ? role : role + ":" + String.join(",", new TreeSet<>(namespaces));
        }
    }

    /** Times of a session, where 3 × heartbeat ≤ fence − fenceGrace, and fence ≤ 5/6 of timeout. */
    public record SessionConfig(Duration heartbeat, Duration fence, Duration fenceGrace, Duration timeout) {}

    public record SchedulerConfig(Duration horizon, Duration takeover, int preparedLimit, int batch) {}

    /**
     * Recipients and channels of alerts.
     *
     * @param publicUrl where people reach Rowlock, without a slash at the end; null: nobody said
     * @param allowInternal addresses, ranges and hosts that messages may go to although they are internal
     * @param commands by the names under which channels know them
     * @param mail null: this node sends no e-mail
     * @param pingUrl what an outside watchdog waits for; null: there is none
     */
    public record AlertConfig(
            @Nullable String publicUrl,
            List<String> allowInternal,
            Map<String, String> commands,
            @Nullable MailConfig mail,
            @Nullable String pingUrl,
            Duration pingEvery) {

        /** Omits URLs, which may be secret. */
        @Override
        public String toString() {
            return "AlertConfig[commands=" + commands.keySet() + ", mail=" + mail + "]";
        }
    }

    /** @param user null, with the password: the server asks for none */
    public record MailConfig(
            String host,
            int port,
            MailSecurity security,
            @Nullable String user,
            @Nullable String password,
            String from) {

        /** Omits the password. */
        @Override
        public String toString() {
            return "MailConfig[" + host + ":" + port + "]";
        }
    }

    /** Protection of the connection to the mail server. */
    public enum MailSecurity {
        STARTTLS,
        TLS,
        NONE
    }

    public record RecoveryConfig(int maxLost, Duration backoff) {}

    /** Method of creating processes. */
    public enum Spawn {
        /** {@link #POSIX_SPAWN} where it works, else {@link #PROCESS_BUILDER}. */
        AUTO,
        /** {@code posix_spawn(3)} of the C library. */
        POSIX_SPAWN,
        /** Java's {@code ProcessBuilder}. */
        PROCESS_BUILDER
    }

    /** Limits of output, where 2 × (headBytes + tailBytes) ≤ maxBytes. */
    public record OutputConfig(long maxBytes, long headBytes, long tailBytes) {}

    /** @param token null: there is none */
    public record MetricsConfig(
            MetricsAccess access, @Nullable String token) {

        /** Omits the token. */
        @Override
        public String toString() {
            return "MetricsConfig[access=" + access + "]";
        }
    }

    /** Access to metrics. */
    public enum MetricsAccess {
        /** Access by the metrics token; for nobody if there is none. */
        TOKEN,
        /** Access for whoever reaches the port. */
        OPEN
    }

    /** Format of the log. */
    public enum LogFormat {
        /** Text for people. */
        TEXT,
        /** One JSON object per line. */
        JSON
    }

    /**
     * @param key the first of all keys, which encrypts
     * @param keyFile absolute; one key a line, that come next. What systemd's credentials hold, unless it is set
     * @param previousKeys those that come last
     * @param files directories with secrets that commands may be given
     * @param env variables of the daemon with secrets that commands may be given
     */
    public record SecretConfig(
            @Nullable String key,
            @Nullable Path keyFile,
            List<String> previousKeys,
            List<Path> files,
            List<String> env) {

        /** Omits the keys. */
        @Override
        public String toString() {
            return "SecretConfig[keyFile=" + keyFile + ", files=" + files + ", env=" + env + "]";
        }
    }

    /**
     * Reads and checks the settings.
     *
     * @param file what {@code --config} says; null: {@code config/rowlock.yaml} under {@code ROWLOCK_HOME} (default:
     *     the working directory) if there is one
     * @param environment its {@code ROWLOCK_*} variables win over the file; an empty one counts as not set
     * @param embedded whether the node is started with {@code --embedded}
     * @throws ConfigProblems with all that is wrong
     */
    public static Config load(@Nullable Path file, Map<String, String> environment, boolean embedded) {
        return new ConfigReader(file, environment).read(embedded);
    }

    /**
     * Reads and checks the settings like {@link #load}, for a command that runs no node: with the embedded database if
     * no other is configured.
     */
    public static Config loadEither(@Nullable Path file, Map<String, String> environment) {
        ConfigReader reader = new ConfigReader(file, environment);
        return reader.read(!reader.namesDatabase());
    }

    /** Omits secrets. */
    @Override
    public String toString() {
        return "Config[" + node + ", " + http + ", " + session + ", dataDir=" + dataDir + "]";
    }
}
