package dev.rowlock.support;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** As much of a node as the tests of {@link NodeProcess} need: ready over HTTP, or an end with a code. */
final class PretendedNode {

    private PretendedNode() {}

    public static void main(String[] args) throws IOException {
        System.out.println("pretending " + System.getenv("ROWLOCK_NODE_NAME"));
        if (args.length > 0) {
            System.exit(Integer.parseInt(args[0]));
        }
        int port = Integer.parseInt(System.getenv("ROWLOCK_HTTP_PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/readyz", exchange -> {
            boolean known = ("Bearer " + NodeProcess.TOKEN)
                    .equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? 200 : 401, -1);
            exchange.close();
        });
        server.start();
    }
}
