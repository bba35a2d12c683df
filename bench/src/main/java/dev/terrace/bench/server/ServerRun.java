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
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A run against real servers with what surrounds it. It starts servers; it interrupts the run when
 * one has ended by itself or the disk is full, since clients of HBase would try again for minutes;
 * it says in one line why a run failed; and it ends all servers and deletes what was written, also
 * after Ctrl-C. Servers may be started by several threads.
 */
public final class ServerRun {

  private final String command;
  private final HBaseInstall install;
  private final RunFolders folders;
  private final boolean keep;
  private final Consumer<String> console;
  private final List<HBaseServer> launched = new ArrayList<>();
  private final List<HBaseServer> running = new ArrayList<>();
  private final AtomicBoolean cleanedUp = new AtomicBoolean();
  private final AtomicReference<String> lost = new AtomicReference<>();
  private boolean abandoned;

  /**
   * A run that was not started yet.
   *
   * @param command for messages, such as {@code terrace bench macro}
   * @param folders all that it writes is in these
   * @param keep whether all that was written stays
   * @param console gets the line that tells of Ctrl-C
   */
  public ServerRun(
      String command,
      HBaseInstall install,
      RunFolders folders,
      boolean keep,
      Consumer<String> console) {
    this.command = command;
    this.install = install;
    this.folders = folders;
    this.keep = keep;
    this.console = console;
  }

  /**
   * What is run.
   *
   * @param <R> what comes out
   */
  @FunctionalInterface
  public interface Body<R> {

    /** Runs it; interrupted when it cannot go on. */
    R run() throws IOException, RunFailure;
  }

  /**
   * Returns the HBase that is started.
   *
   * @throws RunFailure if the build has not made it, or it does not start on this Java
   */
  public static HBaseInstall install() throws RunFailure {
    try {
      HBaseInstall install = HBaseInstall.in(HBaseInstall.home());
      HBaseInstall.requireUsableJava();
      return install;
    } catch (IOException e) {
      throw new RunFailure(e.getMessage(), e);
    }
  }

  /** Returns the folders of the run. */
  public RunFolders folders() {
    return folders;
  }

  /** Returns whether all that was written stays. */
  public boolean keeps() {
    return keep;
  }

  /**
   * Starts a server and returns when a client can use it.
   *
   * @param data name of the server whose data it has
   * @throws IOException if it does not start
   * @throws RunFailure if it runs with another block cache than it should
   */
  public HBaseServer start(ServerSetup setup, String data) throws IOException, RunFailure {
    for (List<Path> caches : List.of(folders.pmem(setup.name()), folders.ssd(setup.name()))) {
      for (Path cache : caches) {
        Files.createDirectories(cache);
      }
    }
    HBaseServerBuilder builder =
        HBaseServer.in(folders.server(setup.name()))
            .dataDirectory(folders.data(data))
            .set(setup.settings())
            .heap(setup.heap())
            .directMemory(setup.directMemory())
            // A heap that grows in the middle of a run would be measured with it.
            .jvmFlag("-Xms" + setup.heap().bytes())
            .whenLaunched(this::adopt);
    setup.jars().forEach(builder::withJar);
    HBaseServer server = (setup.isTerrace() ? builder.withDropInJar() : builder).start(install);
    synchronized (this) {
      running.add(server);
    }
    if (TerraceStats.read(server.jmx()).isPresent() != setup.isTerrace()) {
      throw new RunFailure(
          setup.title()
              + " runs "
              + (setup.isTerrace() ? "without" : "with")
              + " Terrace; HBase's log is "
              + server.log());
    }
    return server;
  }

  private synchronized void adopt(HBaseServer server) throws IOException {
    if (abandoned) {
      throw new IOException("the run was ended while a server was started");
    }
    launched.add(server);
  }

  /** Stops a server in the normal course. */
  public void stop(HBaseServer server) {
    forget(server);
    server.stop();
  }

  /** Ends a server as {@code kill -9} does. */
  public void kill9(HBaseServer server) {
    forget(server);
    server.kill9();
  }

  private synchronized void forget(HBaseServer server) {
    running.remove(server);
  }

  private synchronized Optional<HBaseServer> firstDead() {
    return running.stream().filter(server -> !server.isAlive()).findFirst();
  }

  private synchronized Optional<Path> newestLog() {
    return launched.isEmpty()
        ? Optional.empty()
        : Optional.of(launched.get(launched.size() - 1).log());
  }

  /**
   * Runs something, then ends all servers and removes what was written.
   *
   * @throws RunFailure if something is in the way or was wrong; configurations and logs stay
   */
  public <R> R run(Body<R> body) throws RunFailure {
    Thread hook = new Thread(this::stopAtOnce, command.replace(' ', '-') + "-cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    boolean succeeded = false;
    try {
      R result = watched(body);
      succeeded = true;
      return result;
    } finally {
      if (cleanedUp.compareAndSet(false, true)) {
        Runtime.getRuntime().removeShutdownHook(hook);
        cleanUp(succeeded);
      }
    }
  }

  private <R> R watched(Body<R> body) throws RunFailure {
    Thread runner = Thread.currentThread();
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    var unused = watch.scheduleWithFixedDelay(() -> look(runner), 1, 1, TimeUnit.SECONDS);
    try {
      return body.run();
    } catch (IOException | RunFailure e) {
      // What follows may wait for things, so an interrupt has done its work now.
      Thread.interrupted();
      if (cleanedUp.get()) {
        throw new RunFailure("stopped before its end", e);
      }
      if (lost.get() != null) {
        throw new RunFailure(lost.get(), e);
      }
      throw e instanceof IOException io
          ? new RunFailure(FailureText.of(io, folders.work(), newestLog()), io)
          : (RunFailure) e;
    } finally {
      watch.shutdownNow();
    }
  }

  private void look(Thread runner) {
    Optional<String> wrong =
        firstDead().map(FailureText::ended).or(() -> FailureText.diskFull(folders.work()));
    if (wrong.isPresent() && lost.compareAndSet(null, wrong.get())) {
      runner.interrupt();
    }
  }

  /** Ctrl-C, or another request to end the JVM. */
  private void stopAtOnce() {
    if (!cleanedUp.compareAndSet(false, true)) {
      return;
    }
    console.accept("\nStopping HBase" + (keep ? "; its data stays in " + folders.work() : ""));
    try {
      cleanUp(true);
    } catch (RunFailure e) {
      System.err.println(command + ": " + e.getMessage());
    }
  }

  private void cleanUp(boolean deleteLogs) throws RunFailure {
    List<HBaseServer> servers;
    synchronized (this) {
      abandoned = true;
      running.clear();
      servers = List.copyOf(launched);
    }
    // The data goes away, so nothing would be gained from a shutdown that writes it out.
    servers.forEach(HBaseServer::kill9);
    if (keep) {
      return;
    }
    try {
      if (deleteLogs) {
        folders.deleteAll();
      } else {
        folders.deleteData();
      }
    } catch (IOException e) {
      throw new RunFailure("cannot delete what the run wrote: " + e, e);
    }
  }
}
