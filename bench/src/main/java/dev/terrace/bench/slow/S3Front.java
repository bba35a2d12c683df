/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.slow;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before a server of S3 on this machine, makes it as slow as S3, counts the requests for
 * each bucket, and can refuse them all as S3 does when it throttles. It speaks HTTP/1.1 without
 * encryption. Safe for use by several threads.
 */
final class S3Front implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(S3Front.class);

  private static final Pattern REQUEST = Pattern.compile("(\\S+) /([^/? ]*)\\S* HTTP/1\\.1");
  private static final Pattern LISTING =
      Pattern.compile("GET /[^ ]*[?&]list-type=2[^ ]*[?&]prefix=([^& ]*)[& ]");
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");
  private static final Pattern CHUNKED = Pattern.compile("(?im)^transfer-encoding: *chunked");
  private static final Pattern EXPECT = Pattern.compile("(?im)^expect: *100-continue\\r\\n");
  private static final int MOST_HEAD_BYTES = 64 * 1024;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final byte[] REFUSAL =
      answer(
          "503 Slow Down",
          "<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>");

  /** One request in a hundred comes a few times later than all others. */
  private static final double LATE_SHARE = 0.01;

  private static final int LATE_TIMES = 5;

  private final int serverPort;
  private final Path folder;
  private final ServerSocket socket;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final SlowClock clock = new SlowClock();
  private volatile boolean refusing;

  /**
   * Starts it.
   *
   * @param folder has the buckets; as long as it has a file {@code BUCKET.warm-up}, this is not
   *     slow
   */
  S3Front(int serverPort, Path folder) throws IOException {
    this.serverPort = serverPort;
    this.folder = folder;
    this.socket = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
    daemon("terrace-s3-front", this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Whether each request is answered by a 503 from now on. */
  void refuse(boolean all) {
    refusing = all;
  }

  /** Returns what was asked of a bucket until now. */
  S3Requests requests(String bucket) {
    return bucket(bucket).requests();
  }

  private Bucket bucket(String name) {
    return buckets.computeIfAbsent(
        name,
        absent ->
            new Bucket(
                new SlowStore(
                    new SlowDevice(SlowProfile.S3),
                    clock,
                    Optional.of(folder.resolve(name + ".warm-up")))));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        daemon("terrace-s3-connection", () -> serve(client));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOG.warn("a connection was not accepted", e);
        }
      }
    }
  }

  /** Serves requests of one connection, over one of its own to the server. */
  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        Pipe request = new Pipe(client.getInputStream(), server.getOutputStream());
        Pipe answer = new Pipe(server.getInputStream(), client.getOutputStream())) {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      for (String head = request.head(); !head.isEmpty(); head = request.head()) {
        serve(head, request, answer);
      }
    } catch (IOException e) {
      // Clients drop connections in the middle of an answer that they do not need to the end.
      LOG.debug("a connection broke", e);
    }
  }

  private void serve(String head, Pipe request, Pipe answer) throws IOException {
    Matcher first = REQUEST.matcher(head);
    if (!first.lookingAt()) {
      throw new IOException("not a request: " + head.lines().findFirst().orElse(""));
    }
    Bucket bucket = bucket(first.group(2));
    String forwarded = EXPECT.matcher(head).replaceFirst("");
    boolean waits = !forwarded.equals(head);
    if (refusing) {
      if (!waits) {
        request.skipBody(head);
      }
      bucket.refused.increment();
      answer.write(REFUSAL);
      return;
    }
    Optional<byte[]> mark = emptyFolder(head, first.group(2));
    if (mark.isPresent()) {
      bucket.store.metadataRequest();
      answer.write(mark.get());
      bucket.count("GET", false, 0);
      return;
    }
    SlowStore.Stream stream = bucket.store.newStream();
    String method = first.group(1);
    if (waits) {
      answer.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    request.write(forwarded.getBytes(StandardCharsets.ISO_8859_1));
    long sent = request.copyBody(head, false, stream);
    String answered = answer.head();
    if (answered.isEmpty()) {
      throw new EOFException("the server closed the connection instead of an answer");
    }
    boolean hasData = sent > 0 || (method.equals("GET") && !head.contains("list-type="));
    if (!hasData) {
      bucket.store.metadataRequest();
    }
    if (ThreadLocalRandom.current().nextDouble() < LATE_SHARE) {
      for (int i = 0; i < LATE_TIMES; i++) {
        bucket.store.metadataRequest();
      }
    }
    answer.write(answered.getBytes(StandardCharsets.ISO_8859_1));
    long got = answer.copyBody(answered, method.equals("HEAD"), hasData ? stream : null);
    bucket.count(method, hasData, hasData && sent == 0 ? got : 0);
  }

  /**
   * Returns the answer to a listing of an empty folder: the object that marks it. S3 has it; the
   * server, which makes a folder of the disk of it, leaves it out.
   */
  private Optional<byte[]> emptyFolder(String head, String bucket) throws IOException {
    Matcher listing = LISTING.matcher(head);
    if (!listing.lookingAt()) {
      return Optional.empty();
    }
    String key = URLDecoder.decode(listing.group(1), StandardCharsets.UTF_8);
    File[] files = folder.resolve(bucket).resolve(key).toFile().listFiles();
    if (!key.endsWith("/") || files == null || files.length > 0) {
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
    return Optional.of(answer("200 OK", found));
  }

  private static byte[] answer(String status, String xml) {
    return String.format(
            Locale.ROOT,
            "HTTP/1.1 %s\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n%s",
            status,
            xml.length(),
            xml)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What belongs to one bucket. */
  private record Bucket(
      SlowStore store,
      LongAdder reads,
      LongAdder writes,
      LongAdder others,
      LongAdder refused,
      LongAdder bytesRead) {

    Bucket(SlowStore store) {
      this(
          store,
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder());
    }

    void count(String method, boolean hasData, long bytes) {
      if (method.equals("GET") && hasData) {
        reads.increment();
      } else if (method.equals("PUT") || method.equals("POST")) {
        writes.increment();
      } else {
        others.increment();
      }
      bytesRead.add(bytes);
    }

    S3Requests requests() {
      return new S3Requests(
          reads.sum(), writes.sum(), others.sum(), refused.sum(), bytesRead.sum());
    }
  }

  /** One direction of a connection. */
  private static final class Pipe implements Closeable {

    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    Pipe(InputStream in, OutputStream out) {
      this.in = new BufferedInputStream(in, BUFFER_BYTES);
      this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    /** Reads up to the empty line and with it; empty if the stream has ended. */
    String head() throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      int newest = 0;
      while (newest != 0x0d0a0d0a && head.size() < MOST_HEAD_BYTES) {
        int one = in.read();
        if (one < 0) {
          return "";
        }
        newest = newest << 8 | one;
        head.write(one);
      }
      return head.toString(StandardCharsets.ISO_8859_1);
    }

    void write(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    void skipBody(String head) throws IOException {
      in.skipNBytes(length(head));
    }

    /** Copies the body that belongs to a head, as fast as a stream allows, and returns its size. */
    long copyBody(String head, boolean isAbsent, SlowStore.Stream stream) throws IOException {
      if (isAbsent) {
        return 0;
      }
      if (!CHUNKED.matcher(head).find()) {
        return copy(length(head), stream);
      }
      long all = 0;
      long chunk;
      do {
        String size = line();
        chunk = Long.parseLong(size.strip().toLowerCase(Locale.ROOT), 16);
        out.write(size.getBytes(StandardCharsets.ISO_8859_1));
        copy(chunk, stream);
        out.write(line().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        all += chunk;
      } while (chunk > 0);
      return all;
    }

    private static long length(String head) {
      Matcher length = LENGTH.matcher(head);
      return length.find() ? Long.parseLong(length.group(1)) : 0;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      while (line.length() == 0 || line.charAt(line.length() - 1) != '\n') {
        int one = in.read();
        if (one < 0) {
          throw new EOFException("in the middle of a line");
        }
        line.append((char) one);
      }
      return line.toString();
    }

    private long copy(long bytes, SlowStore.Stream stream) throws IOException {
      boolean begun = false;
      for (long left = bytes; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new EOFException("left=" + left);
        }
        if (stream != null) {
          stream.transfer(read, begun);
          begun = true;
        }
        out.write(buffer, 0, read);
        left -= read;
      }
      if (stream != null && begun) {
        stream.finish();
      }
      out.flush();
      return bytes;
    }

    @Override
    public void close() throws IOException {
      in.close();
      out.close();
    }
  }
}
