// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.Hdfs;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowStore.SlowClock;
import dev.terrace.bench.slow.SlowStore.SlowDevice;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An S3 server in a process of its own, over the folders of HBase servers, behind a front that is
 * as slow as S3. The folder of each HBase server is a bucket.
 */
public final class S3Server implements Closeable {

  /** S3 has no rename: HBase writes files where they stay. */
  public static final Map<String, String> FILES_STAY =
      Map.of("hbase.store.file-tracker.impl", "FILE");

  private static final Logger LOG = LoggerFactory.getLogger(S3Server.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Pattern BUCKET = Pattern.compile("/([^/?]*)");
  private static final Pattern LISTING = Pattern.compile("list-type=2.*[?&]prefix=([^& ]*/)(&|$)");

  /** Headers that the JDK's client sets itself. */
  private static final Set<String> OWN_HEADERS =
      Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

  /** One request in a hundred takes several times as long as the others. */
  private static final double LATE_SHARE = 0.01;

  private static final int LATE_TIMES = 5;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path folder;
  private final int port;
  private final JavaProcess process;
  private final HttpServer front;
  private final PrintWriter accessLog;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, SlowStore> buckets = new ConcurrentHashMap<>();
  private final SlowClock clock = new SlowClock();

  private S3Server(Path folder, int port, JavaProcess process) throws IOException {
    this.folder = folder;
    this.port = port;
    this.process = process;
    this.accessLog =
        new PrintWriter(Files.newBufferedWriter(folder.resolve("s3/access.log")), true);
    // Otherwise its answers would be delayed, waiting for more data to send.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    this.front =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    front.createContext("/", this::serve);
    front.setExecutor(
        Executors.newCachedThreadPool(
            new ThreadFactoryBuilder().setNameFormat("terrace-s3-%d").setDaemon(true).build()));
  }

  /**
   * Starts it.
   *
   * @param folder whose folders are the buckets; while it has a file {@code BUCKET.warm-up}, that
   *     bucket is not slow
   */
  public static S3Server start(Path folder) throws IOException {
    Path own = Files.createDirectories(folder.resolve("s3"));
    int port = FreePorts.next();
    Path properties = own.resolve("s3proxy.properties");
    Files.write(
        properties,
        List.of(
            "s3proxy.endpoint=http://127.0.0.1:" + port,
            "s3proxy.authorization=none",
            // The newer provider mistakes a folder for a file.
            "jclouds.provider=filesystem",
            "jclouds.filesystem.basedir=" + folder,
            "jclouds.identity=none",
            "jclouds.credential=none"));
    Path logging = own.resolve("logback.xml");
    Files.writeString(
        logging,
        "<configuration><appender name='out' class='ch.qos.logback.core.ConsoleAppender'><encoder>"
            + "<pattern>%d %-5level %logger{0}: %msg%n</pattern></encoder></appender>"
            + "<root level='WARN'><appender-ref ref='out'/></root></configuration>");
    JavaProcess process = new JavaProcess("S3Proxy", own.resolve("server.log"));
    process.launch(
        own,
        HBaseInstall.s3Proxy(),
        List.of("-Xmx512m", "-Dlogback.configurationFile=" + logging),
        List.of("org.gaul.s3proxy.Main", "--properties", properties.toString()),
        OptionalLong.empty());
    process.await("it listened", START_LIMIT, () -> Hdfs.answers(port));
    S3Server server = new S3Server(folder, port, process);
    server.front.start();
    return server;
  }

  /** Puts a server's files, which lie in a folder of its bucket, into S3. */
  public ServerSetup hold(ServerSetup setup, String files) {
    return setup.with(
        Map.ofEntries(
            Map.entry("hbase.rootdir", "s3a://" + setup.name() + "/" + files + "/hbase"),
            Map.entry("fs.s3a.endpoint", "http://127.0.0.1:" + front.getAddress().getPort()),
            Map.entry("fs.s3a.endpoint.region", "us-east-1"),
            Map.entry("fs.s3a.path.style.access", "true"),
            Map.entry("fs.s3a.connection.ssl.enabled", "false"),
            Map.entry("fs.s3a.connection.expect.continue", "false"),
            Map.entry("fs.s3a.access.key", "none"),
            Map.entry("fs.s3a.secret.key", "none"),
            Map.entry("fs.s3a.fast.upload.buffer", "array"),
            // The least that S3 allows, so that flushes and compactions have several parts.
            Map.entry("fs.s3a.multipart.size", "5M"),
            // Reads only what is asked for, and caches nothing itself.
            Map.entry("fs.s3a.input.stream.type", "classic"),
            Map.entry("fs.s3a.experimental.input.fadvise", "random")));
  }

  public long reads(String server) {
    return bucket(server).reads();
  }

  /** Returns the requests so far, each as its method and address. */
  public List<String> accessLog() throws IOException {
    return Files.readAllLines(folder.resolve("s3/access.log"));
  }

  private SlowStore bucket(String name) {
    return buckets.computeIfAbsent(
        name,
        absent ->
            new SlowStore(
                new SlowDevice(SlowProfile.S3), clock, folder.resolve(absent + ".warm-up")));
  }

  @Override
  public void close() throws IOException {
    front.stop(0);
    accessLog.close();
    process.kill();
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      accessLog.println(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      Matcher name = BUCKET.matcher(exchange.getRequestURI().toString());
      String bucket = name.lookingAt() ? name.group(1) : "";
      Optional<byte[]> mark = emptyFolder(exchange, bucket);
      if (mark.isPresent()) {
        bucket(bucket).metadataRequest();
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(200, mark.get().length);
        exchange.getResponseBody().write(mark.get());
      } else {
        forward(exchange, bucket(bucket));
      }
    } catch (IOException e) {
      // Clients drop connections in the middle of answers whose rest they do not need.
      LOG.debug("a connection broke", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void forward(HttpExchange exchange, SlowStore bucket)
      throws IOException, InterruptedException {
    String uri = exchange.getRequestURI().toString();
    String method = exchange.getRequestMethod();
    byte[] sent = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + uri))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(sent));
    exchange
        .getRequestHeaders()
        .forEach(
            (header, values) -> {
              if (!OWN_HEADERS.contains(header.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(header, value));
              }
            });
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    boolean isRead = method.equals("GET") && !uri.contains("list-type=");
    SlowStore.Stream stream = bucket.new Stream();
    if (isRead) {
      bucket.countRead(0);
    } else if (sent.length > 0) {
      stream.transfer(sent.length);
      stream.finish();
    } else {
      bucket.metadataRequest();
    }
    if (ThreadLocalRandom.current().nextDouble() < LATE_SHARE) {
      for (int i = 0; i < LATE_TIMES; i++) {
        bucket.metadataRequest();
      }
    }
    answer
        .headers()
        .map()
        .forEach((header, values) -> exchange.getResponseHeaders().put(header, values));
    exchange.getResponseHeaders().remove("transfer-encoding");
    // For sendResponseHeaders, -1 is no body, and 0 a body of unknown length.
    long length = answer.headers().firstValueAsLong("content-length").orElse(-1);
    boolean isEmpty = method.equals("HEAD") || answer.statusCode() == 204 || length == 0;
    exchange.sendResponseHeaders(answer.statusCode(), isEmpty ? -1 : Math.max(0, length));
    try (InputStream body = answer.body()) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        if (isRead) {
          stream.transfer(read);
        }
        exchange.getResponseBody().write(buffer, 0, read);
      }
      stream.finish();
    }
  }

  /**
   * Returns the answer to a listing of an empty folder: the object that marks it. S3 has that
   * object; this server stores it as a folder on disk, and does not list it.
   */
  private Optional<byte[]> emptyFolder(HttpExchange exchange, String bucket) {
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
    Matcher listing = LISTING.matcher(query);
    if (!exchange.getRequestMethod().equals("GET") || !listing.find()) {
      return Optional.empty();
    }
    String key = listing.group(1);
    String[] files = folder.resolve(bucket).resolve(key).toFile().list();
    if (files == null || files.length > 0) {
      return Optional.empty();
    }
    String found =
        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>"
            + bucket
            + "</Name><KeyCount>1</KeyCount><MaxKeys>2</MaxKeys><IsTruncated>false</IsTruncated>"
            + "<Contents><Key>"
            + key
            + "</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>0</Size>"
            + "<StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>";
    return Optional.of(found.getBytes(StandardCharsets.UTF_8));
  }
}
