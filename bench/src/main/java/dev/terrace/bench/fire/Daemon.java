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
package dev.terrace.bench.fire;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerFolder;
import dev.terrace.bench.server.ServerLog;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One process of the cluster, started as often as it ended. Safe for several threads. */
final class Daemon {

  private static final ByteSize DIRECT_MEMORY = ByteSize.ofMebibytes(256);

  /** These processes are gone before the slower compiler and G1's threads have paid off. */
  private static final List<String> QUICK_START =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          // Memory that grows is then another than the heap's.
          "-XX:+AlwaysPreTouch",
          // Port 8080 of every machine.
          "-Dzookeeper.admin.enableServer=false");

  private final String name;
  private final HBaseInstall install;
  private final ServerFolder folder;
  private final ByteSize heap;
  private final ByteSize directMemory;
  private final List<Path> droppedIn;
  private final List<String> command;
  private JavaProcess process;
  private long logStart;

  private Daemon(
      String name,
      HBaseInstall install,
      ServerFolder folder,
      ByteSize heap,
      ByteSize directMemory,
      List<Path> droppedIn,
      List<String> command) {
    this.name = name;
    this.install = install;
    this.folder = folder;
    this.heap = heap;
    this.directMemory = directMemory;
    this.droppedIn = droppedIn;
    this.command = command;
  }

  /** Fills the folder of a process, and does not start it. */
  static Daemon create(
      HBaseInstall install, Path folder, Size size, List<Path> droppedIn, String... command)
      throws IOException {
    ServerFolder own = new ServerFolder(folder);
    own.fill(install, droppedIn);
    return new Daemon(
        folder.getFileName().toString(),
        install,
        own,
        size.heap(),
        size.directMemory(),
        droppedIn,
        List.of(command));
  }

  /** Fills the folder of another process of this kind, and does not start it. */
  Daemon twin(Path other) throws IOException {
    Size size = new Size(heap, directMemory);
    return create(install, other, size, droppedIn, command.toArray(String[]::new));
  }

  /** Heap and direct memory of a process. */
  record Size(ByteSize heap, ByteSize directMemory) {

    static Size ofHeap(long mebibytes) {
      return new Size(ByteSize.ofMebibytes(mebibytes), DIRECT_MEMORY);
    }
  }

  /** Writes a file of settings, which a running process may read anew. */
  Daemon configure(String file, Map<String, String> settings) throws IOException {
    folder.configure(file, settings);
    return this;
  }

  String name() {
    return name;
  }

  ServerFolder folder() {
    return folder;
  }

  synchronized Daemon start() throws IOException {
    logStart = folder.log().toFile().length();
    process = folder.start(install, heap, directMemory, QUICK_START, Optional.empty(), command);
    return this;
  }

  synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Returns the id of the process that was started last. */
  synchronized long pid() {
    return process.pid();
  }

  /** Waits for the end of a process that ends by itself. */
  synchronized void awaitEnd(Duration limit) throws IOException {
    if (!process.awaitEnd(limit) || process.exitValue() != 0) {
      throw failure("did not do its work");
    }
  }

  /** Returns whether the process ends by itself within this time. */
  synchronized boolean ends(Duration limit) {
    return process.awaitEnd(limit);
  }

  synchronized void kill9() {
    if (process != null) {
      process.kill();
    }
  }

  /** Asks the process to end; returns false if it had to be killed after that time. */
  synchronized boolean stop(Duration patience) {
    return process.stop(patience);
  }

  synchronized void suspend() throws IOException {
    process.signal("STOP");
  }

  synchronized void resume() throws IOException {
    process.signal("CONT");
  }

  /** Returns a failure that names the process, what its log says last, and the log. */
  RunFailure failure(String what) {
    return failure(what, null);
  }

  private RunFailure failure(String what, Exception cause) {
    return new RunFailure(new ServerLog(folder.log()).explain(name + " " + what), cause);
  }

  /** Returns whether the log has one of these texts since the last start. */
  synchronized boolean said(String... texts) throws IOException {
    try (FileInputStream log = new FileInputStream(folder.log().toFile())) {
      log.skipNBytes(logStart);
      return new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8))
          .lines()
          .anyMatch(line -> Stream.of(texts).anyMatch(line::contains));
    }
  }

  /** Waits as {@link JavaProcess#await} does. */
  void await(String what, Duration limit, JavaProcess.Condition condition) throws RunFailure {
    newest().await(what, limit, condition, this::failure);
  }

  private synchronized JavaProcess newest() {
    return process;
  }
}
