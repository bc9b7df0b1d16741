package dev.rowlock.db;

import com.mysql.cj.conf.ConnectionUrl;
import com.mysql.cj.conf.HostInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Options by which the server's own client program reaches the database of a {@code jdbc:mysql:} URL. */
public final class SqlClient {

    /** Client programs, which request encryption in different words. */
    public enum ClientProgram {
        MYSQL,
        MARIADB
    }

    private static final Duration REACHED_WITHIN = Duration.ofSeconds(2);

    private SqlClient() {}

    /**
     * Returns the text of an option file, password included. Of several hosts it names the first that can be reached.
     *
     * @throws IllegalArgumentException if the URL is none that the driver reads
     */
    public static String options(DatabaseAddress address, ClientProgram program) {
        HostInfo host = reachable(
                address.servers().stream().map(server -> host(server.url())).toList());
        List<String> lines = new ArrayList<>(List.of(
                "[client]",
                "protocol=tcp",
                "host=" + quoted(host.getHost()),
                "port=" + host.getPort(),
                "user=" + quoted(address.user().isEmpty() ? host.getUser() : address.user()),
                "password=" + quoted(address.user().isEmpty() ? host.getPassword() : address.password())));
        lines.addAll(encryption(host.getHostProperties(), program));
        lines.add("[mysql]");
        if (host.getDatabase() != null && !host.getDatabase().isEmpty()) {
            lines.add("database=" + quoted(host.getDatabase()));
        }
        return String.join("\n", lines) + "\n";
    }

    private static HostInfo host(String url) {
        try {
            return ConnectionUrl.getConnectionUrlInstance(url, new Properties()).getMainHost();
        } catch (com.mysql.cj.exceptions.CJException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static HostInfo reachable(List<HostInfo> hosts) {
        return hosts.stream()
                .limit(hosts.size() - 1L)
                .filter(SqlClient::answers)
                .findFirst()
                .orElse(hosts.get(hosts.size() - 1));
    }

    private static boolean answers(HostInfo host) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host.getHost(), host.getPort()), (int) REACHED_WITHIN.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the options that match the driver's: encrypted if the server can, the certificate unchecked unless the
     * URL requires it.
     */
    private static List<String> encryption(Map<String, String> properties, ClientProgram program) {
        String mode = properties.getOrDefault("sslMode", "PREFERRED").toUpperCase(Locale.ROOT);
        if (program == ClientProgram.MYSQL) {
            return "true".equalsIgnoreCase(properties.get("allowPublicKeyRetrieval"))
                    ? List.of("ssl-mode=" + mode, "get-server-public-key")
                    : List.of("ssl-mode=" + mode);
        }
        return switch (mode) {
            case "DISABLED" -> List.of("skip-ssl");
            case "VERIFY_CA", "VERIFY_IDENTITY" -> List.of("ssl-verify-server-cert");
            case "REQUIRED" -> List.of("ssl", "disable-ssl-verify-server-cert");
            default -> List.of("disable-ssl-verify-server-cert");
        };
    }

    private static String quoted(@Nullable String value) {
        return value == null ? "" : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
