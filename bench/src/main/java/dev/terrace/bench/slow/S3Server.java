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

import dev.terrace.bench.server.FreePorts;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server of S3 in a process of its own, over the folders of HBase servers, and as slow as S3. The
 * folder of each HBase server is a bucket.
 */
public final class S3Server implements Closeable {

  /** S3 has no rename: HBase writes files where they stay. */
  public static final Map<String, String> FILES_STAY =
      Map.of("hbase.store.file-tracker.impl", "FILE");

  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final JavaProcess process;
  private final S3Front front;

  private S3Server(JavaProcess process, S3Front front) {
    this.process = process;
    this.front = front;
  }

  /**
   * Starts it.
   *
   * @param folder whose folders are the buckets; as long as it has a file {@code BUCKET.warm-up},
   *     that bucket is not slow
   */
  public static S3Server start(Path folder) throws IOException {
    Path own = Files.createDirectories(folder.resolve("s3"));
    int port = new FreePorts().next();
    Path properties = own.resolve("s3proxy.properties");
    Files.write(
        properties,
        List.of(
            "s3proxy.endpoint=http://127.0.0.1:" + port,
            "s3proxy.authorization=none",
            // The newer provider takes a folder for a file.
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
    Path log = own.resolve("server.log");
    JavaProcess process =
        JavaProcess.start(
            own,
            HBaseInstall.s3Proxy(),
            List.of("-Xmx512m", "-Dlogback.configurationFile=" + logging),
            List.of("org.gaul.s3proxy.Main", "--properties", properties.toString()),
            log,
            Optional.empty());
    process.await(
        "S3Proxy answered on port " + port,
        START_LIMIT,
        () -> {
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        },
        (what, cause) -> new RunFailure("S3Proxy " + what + "; see " + log, cause));
    return new S3Server(process, new S3Front(port, folder));
  }

  /** Puts a server's files, which lie in a folder of its bucket, into S3. */
  public ServerSetup hold(ServerSetup setup, String folder) {
    return setup.with(
        Map.ofEntries(
            Map.entry("hbase.rootdir", "s3a://" + setup.name() + "/" + folder + "/hbase"),
            Map.entry("fs.s3a.endpoint", "http://127.0.0.1:" + front.port()),
            Map.entry("fs.s3a.endpoint.region", "us-east-1"),
            Map.entry("fs.s3a.path.style.access", "true"),
            Map.entry("fs.s3a.connection.ssl.enabled", "false"),
            Map.entry("fs.s3a.connection.expect.continue", "false"),
            Map.entry("fs.s3a.access.key", "none"),
            Map.entry("fs.s3a.secret.key", "none"),
            Map.entry("fs.s3a.fast.upload.buffer", "array"),
            // The least that S3 takes, so that flushes and compactions have several parts.
            Map.entry("fs.s3a.multipart.size", "5M"),
            // Reads what is asked for, and caches nothing of its own.
            Map.entry("fs.s3a.input.stream.type", "classic"),
            Map.entry("fs.s3a.experimental.input.fadvise", "random")));
  }

  /** Returns how often files of a server were read until now. */
  public long reads(String server) {
    return front.reads(server);
  }

  @Override
  public void close() throws IOException {
    front.close();
    process.kill();
  }
}
