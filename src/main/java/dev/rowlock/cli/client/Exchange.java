package dev.rowlock.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/** Single request with all methods but PATCH. */
final class Exchange {

    static {
        // Else it sends a POST again by itself if the connection breaks.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private Exchange() {}

    static Reply of(Target target, Ask ask, Duration connect, Duration wait) throws IOException {
        HttpURLConnection connection = open(target, ask.target());
        connection.setConnectTimeout((int) connect.toMillis());
        connection.setReadTimeout((int) wait.toMillis());
        connection.setInstanceFollowRedirects(false); // the token is for nobody else
        connection.setUseCaches(false);
        connection.setRequestMethod(ask.method());
        connection.setRequestProperty("Accept", "application/json, text/plain, */*");
        connection.setRequestProperty("User-Agent", "rowlock-cli");
        if (target.token() != null) {
            connection.setRequestProperty("Authorization", "Bearer " + target.token());
        }
        ask.headers().forEach(connection::setRequestProperty);
        send(connection, Client.bytes(ask));
        int status = connection.getResponseCode();
        @Nullable InputStream body = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
        return new Reply(
                status, connection::getHeaderField, body == null ? InputStream.nullInputStream() : body, target);
    }

    private static HttpURLConnection open(Target target, String path) throws IOException {
        var opened = URI.create(target.url() + path).toURL().openConnection();
        if (opened instanceof HttpsURLConnection https && target.authorities() != null) {
            https.setSSLSocketFactory(
                    CertificateTrust.context(target.authorities()).getSocketFactory());
        }
        if (opened instanceof HttpURLConnection http) {
            return http;
        }
        throw new IOException(target.url() + " is no address of http or https");
    }

    private static void send(HttpURLConnection connection, byte @Nullable [] body) throws IOException {
        if (body == null) {
            return;
        }
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        try (OutputStream to = connection.getOutputStream()) {
            to.write(body);
        }
    }
}
