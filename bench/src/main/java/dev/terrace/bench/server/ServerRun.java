// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.io.function.IOSupplier;

/**
 * Owns the lifecycle of a run against real servers. It starts servers; it says in one line why a
 * run failed, such as a dead server or a full disk; and it ends all servers and deletes their
 * files, even after Ctrl-C. Several threads may start servers.
 */
public final class ServerRun {

  /** The cause of failures in a JVM that was asked to end. */
  private static final String STOPPED = "stopped before its end";

  private static final long NEARLY_NOTHING_BYTES = 64L << 20;

  private final HBaseInstall install;
  private final RunFolders folders;
  private final boolean keep;
  private final Consumer<String> console;
  private final List<HBaseServer> servers = new ArrayList<>();
  private final Object cleaning = new Object();

  /** Set when the cleanup begins; a server launched after that is not registered. */
  private volatile boolean cleanedUp;

  public ServerRun(
      HBaseInstall install, RunFolders folders, boolean keep, Consumer<String> console) {
    this.install = install;
    this.folders = folders;
    this.keep = keep;
    this.console = console;
  }

  public boolean keeps() {
    return keep;
  }

  /** Starts a server over its existing data; checks which block cache it runs with. */
  public HBaseServer start(ServerSetup setup) throws IOException {
    String name = setup.name();
    Files.createDirectories(folders.pmem(name));
    Files.createDirectories(folders.ssd(name));
    HBaseServer server =
        HBaseServer.start(
            install,
            setup.with(HBaseServer.SUSPENDABLE),
            folders.server(name),
            folders.data(name),
            this::adopt);
    if (TerraceStats.read(server.jmx()).isPresent() != setup.isTerrace()) {
      throw new RunFailure(
          String.format(
              "%s runs %s Terrace; HBase's log is %s",
              setup.title(), setup.isTerrace() ? "without" : "with", server.log()));
    }
    return server;
  }

  private synchronized void adopt(HBaseServer server) throws IOException {
    if (cleanedUp) {
      throw new IOException("the run was ended while a server was started");
    }
    servers.add(server);
  }

  public void stop(HBaseServer server) {
    server.stop();
    forget(server);
  }

  public void kill9(HBaseServer server) {
    server.kill();
    forget(server);
  }

  private synchronized void forget(HBaseServer server) {
    servers.remove(server);
  }

  /** Runs something, ends all servers, and removes their files; logs stay after a failure. */
  public <R> R run(IOSupplier<R> body) throws RunFailure {
    try {
      // Never removed: it does nothing once the run has ended.
      Runtime.getRuntime().addShutdownHook(new Thread(this::stopAtOnce, "terrace-cleanup"));
    } catch (IllegalStateException ending) {
      throw new RunFailure(STOPPED, ending);
    }
    boolean succeeded = false;
    try {
      R result = body.get();
      succeeded = true;
      return result;
    } catch (IOException e) {
      throw explain(e);
    } finally {
      end(succeeded);
    }
  }

  private synchronized RunFailure explain(IOException failure) {
    if (cleanedUp) {
      return new RunFailure(STOPPED, failure);
    }
    Optional<String> wrong =
        servers.stream()
            .filter(server -> !server.isAlive())
            .findFirst()
            .map(server -> server.failure("ended").getMessage())
            .or(() -> fullDisk(folders.work()));
    if (wrong.isEmpty() && failure instanceof RunFailure known) {
      return known;
    }
    String message = String.valueOf(failure.getMessage());
    String inOneLine =
        servers.isEmpty()
            ? message.lines().findFirst().orElse("")
            : servers.get(servers.size() - 1).explain(message);
    return new RunFailure(wrong.orElse(inOneLine), failure);
  }

  /** Explains that a run's disk is nearly full, and what to do; empty if it is not. */
  private static Optional<String> fullDisk(Path work) {
    return Files.exists(work) && work.toFile().getUsableSpace() < NEARLY_NOTHING_BYTES
        ? Optional.of(
            String.format(
                "the disk of %s is full, or nearly; free some space, use --dir DIRECTORY on another"
                    + " disk, or fewer --rows",
                work))
        : Optional.empty();
  }

  /** Handles Ctrl-C, or another request to end the JVM. */
  private void stopAtOnce() {
    synchronized (cleaning) {
      if (cleanedUp) {
        return;
      }
      String stays = "; tables, logs and caches stay. To remove all of it: " + folders.removal();
      console.accept("\nStopping HBase" + (keep ? stays : ""));
      try {
        end(true);
      } catch (RunFailure e) {
        System.err.println(e.getMessage());
      }
    }
  }

  /** Cleans up once; Ctrl-C in the middle waits for the end of the cleanup. */
  private void end(boolean deleteLogs) throws RunFailure {
    synchronized (cleaning) {
      if (cleanedUp) {
        return;
      }
      cleanedUp = true;
      synchronized (this) {
        // The data is deleted, so a shutdown that writes it out would gain nothing.
        servers.forEach(HBaseServer::kill);
      }
      try {
        if (!keep && deleteLogs) {
          folders.deleteAll();
        } else if (!keep) {
          folders.deleteData();
        }
      } catch (IOException e) {
        throw new RunFailure("cannot delete what the run wrote: " + e, e);
      }
    }
  }
}
