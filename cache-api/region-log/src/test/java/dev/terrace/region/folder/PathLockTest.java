// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Exchanger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathLockTest {

  private static final int ROUNDS = 3_000;

  @TempDir Path folder;

  /**
   * The file system gives a new file the number of one that was deleted and has just been closed.
   */
  @Test
  void aDeletedFilesLockDoesNotKeepANewFile() throws Exception {
    Exchanger<PathLock> deleted = new Exchanger<>();
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int round = 0; round < ROUNDS; round++) {
                  deleted.exchange(null).close();
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    for (int round = 0; round < ROUNDS; round++) {
      deleted.exchange(lockOfDeleted("old" + round));
      lockOfDeleted("new" + round).close();
    }
    closing.join();
  }

  private PathLock lockOfDeleted(String name) throws IOException {
    Path file = folder.resolve(name);
    PathLock lock = PathLock.exclusive(folder, file);
    Files.delete(file);
    return lock;
  }
}
