import io.socket.client.Ack;
import io.socket.client.IO;
import io.socket.client.Socket;
import io.socket.engineio.client.transports.WebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.json.JSONArray;
import org.json.JSONObject;

/** A screen of the kitchen, in Java: hears orders over Socket.IO, is refused as the API says, and loses its connection. */
public class HearOrders {
    static final String API = System.getenv("COMANDA_URL");
    static final long LIMIT_S = 30;
    static final HttpClient HTTP = HttpClient.newHttpClient();

    static String send(HttpRequest.Builder request) throws Exception {
        var answer = HTTP.send(request.timeout(Duration.ofSeconds(LIMIT_S)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IllegalStateException(answer.body());
        return answer.body();
    }

    static JSONObject post(String path, String token, JSONObject body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(API + path)).header("Content-Type", "application/json");
        if (token != null) request.header("Authorization", "Bearer " + token);
        return new JSONObject(send(request.POST(HttpRequest.BodyPublishers.ofString(body.toString()))));
    }

    static String signIn() throws Exception {
        var body = new JSONObject()
            .put("email", System.getenv("COMANDA_EMAIL"))
            .put("password", System.getenv("COMANDA_PASSWORD"));
        return post("/auth/login", null, body).getString("access_token");
    }

    static long placeOrder(String token) throws Exception {
        var menu = new JSONArray(send(HttpRequest.newBuilder(URI.create(API + "/menu"))));
        var item = new JSONObject().put("item_id", menu.getJSONObject(0).getLong("id")).put("quantity", 1);
        return post("/orders", token, new JSONObject().put("items", new JSONArray().put(item))).getLong("id");
    }

    /** A client of the feed. It connects again by itself, from the cursor that it has. */
    static class Screen {
        final Map<String, String> auth = new ConcurrentHashMap<>();
        final List<Long> orders = new CopyOnWriteArrayList<>();
        final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
        final BlockingQueue<String> states = new LinkedBlockingQueue<>();
        final CompletableFuture<JSONObject> refused = new CompletableFuture<>();
        final Socket socket;

        Screen(String url, String token) {
            if (token != null) auth.put("token", token);
            socket = IO.socket(URI.create(url), IO.Options.builder()
                .setTransports(new String[] {WebSocket.NAME})
                .setForceNew(true)
                .setReconnectionDelay(200)
                .setReconnectionDelayMax(500)
                .setAuth(auth)
                .build());
            socket.on("event", (arguments) -> hear((JSONObject) arguments[0], (String) arguments[1]));
            socket.on("feed", (arguments) -> states.add(((JSONObject) arguments[0]).optString("status")));
            socket.on(Socket.EVENT_CONNECT_ERROR, (arguments) -> {
                if (arguments[0] instanceof JSONObject problem) refused.complete(problem);
            });
        }

        void hear(JSONObject event, String cursor) {
            auth.put("after", cursor);
            if (!event.optString("type").equals("order.created")) return;
            var order = Long.parseLong(event.optString("subject"));
            orders.add(order);
            heard.add(order);
        }

        void untilLive() throws Exception {
            for (var state = ""; !state.equals("live"); ) {
                state = states.poll(LIMIT_S, TimeUnit.SECONDS);
                if (state == null) throw new IllegalStateException("The feed is not live.");
            }
        }

        void untilHeard(long order) throws Exception {
            for (Long each = null; each == null || each != order; ) {
                each = heard.poll(LIMIT_S, TimeUnit.SECONDS);
                if (each == null) throw new IllegalStateException("Order " + order + " was not heard.");
            }
        }

        /** What the server acknowledges a token with: null, or a problem. */
        Object renew(String token) throws Exception {
            var answer = new CompletableFuture<Object>();
            socket.emit("token", new Object[] {token}, (Ack) (arguments) ->
                answer.complete(arguments.length == 0 || arguments[0] == null ? JSONObject.NULL : arguments[0]));
            return answer.get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    /** A connection to the API that can be cut. */
    static class Line {
        final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        final List<java.net.Socket> sockets = new CopyOnWriteArrayList<>();
        volatile boolean isCut = false;

        Line() throws IOException {
            start(() -> {
                while (true) accept(server.accept());
            });
        }

        void accept(java.net.Socket client) throws IOException {
            if (isCut) {
                client.close();
                return;
            }
            var api = URI.create(API);
            var upstream = new java.net.Socket(api.getHost(), api.getPort());
            sockets.addAll(List.of(client, upstream));
            start(() -> passOn(client, upstream));
            start(() -> passOn(upstream, client));
        }

        void passOn(java.net.Socket from, java.net.Socket to) throws IOException {
            try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            }
        }

        void cut() throws IOException {
            isCut = true;
            for (var socket : sockets) socket.close();
        }

        void mend() {
            isCut = false;
        }

        interface Work {
            void run() throws IOException;
        }

        /** Ends with the connection that it serves. */
        void start(Work work) {
            var thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException cut) {
                    return;
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort();
        }
    }

    static String refusalOf(String token) throws Exception {
        var screen = new Screen(API, token);
        screen.socket.connect();
        var problem = screen.refused.get(LIMIT_S, TimeUnit.SECONDS);
        screen.socket.disconnect();
        return problem.getJSONObject("data").getString("code");
    }

    static void expect(Object found, Object wanted) {
        if (!wanted.equals(found)) throw new IllegalStateException("Expected " + wanted + ", but it was " + found);
    }

    public static void main(String[] arguments) throws Exception {
        var line = new Line();
        var token = signIn();
        var screen = new Screen(line.url(), token);
        screen.socket.connect();
        screen.untilLive();
        screen.untilHeard(placeOrder(token));
        System.out.println("1. An order that is placed is heard.");

        line.cut();
        screen.states.clear();
        var missed = placeOrder(token);
        line.mend();
        screen.untilHeard(missed);
        screen.untilLive();
        expect(screen.orders.stream().filter((order) -> order == missed).count(), 1L);
        System.out.println("2. After a lost connection, the order that was missed is heard once.");

        expect(screen.renew(signIn()), JSONObject.NULL);
        System.out.println("3. A new token of the same user is taken.");
        expect(((JSONObject) screen.renew("nonsense")).getString("code"), "invalid_token");
        System.out.println("4. A token that is none is refused, with a problem.");
        screen.socket.disconnect();

        expect(refusalOf("nonsense"), "invalid_token");
        System.out.println("5. Who connects with a token that is none gets the problem.");
        expect(refusalOf(null), "authentication_required");
        System.out.println("6. Who connects without a token gets the problem.");
        System.exit(0); // the client's threads go on
    }
}
