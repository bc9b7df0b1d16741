package dev.rowlock.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** Single request with PATCH, which the quicker way cannot say. */
final class Patch {

    private Patch() {}

    static Reply exchange(Target target, Ask ask, Duration connect, Duration wait) throws IOException {
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connect);
        if (target.authorities() != null) {
            client.sslContext(CertificateTrust.context(target.authorities()));
        }
        try {
            HttpResponse<InputStream> response =
                    client.build().send(request(target, ask, wait), BodyHandlers.ofInputStream());
            return new Reply(
                    response.statusCode(),
                    name -> response.headers().firstValue(name).orElse(null),
                    response.body(),
                    target);
        } catch (HttpConnectTimeoutException e) {
            throw e;
        } catch (HttpTimeoutException e) {
            throw (IOException) new SocketTimeoutException(e.getMessage()).initCause(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    private static HttpRequest request(Target target, Ask ask, Duration wait) {
        byte[] body = Client.bytes(ask);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.url() + ask.target()))
                .timeout(wait)
                .header("User-Agent", "rowlock-cli")
                .header("Content-Type", "application/json")
                .method(ask.method(), body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (target.token() != null) {
            request.header("Authorization", "Bearer " + target.token());
        }
        ask.headers().forEach(request::header);
        return request.build();
    }
}
