// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CachePathException;
import dev.terrace.region.folder.CachePathException.WrongPathException;
import dev.terrace.region.folder.PathAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The paths of the tiers that a server could open, and why it could not open the others. */
final class UsablePaths {

  private final Set<Path> silent = new HashSet<>();
  private final Set<Path> usable = new HashSet<>();
  private final List<Finding> faults = new ArrayList<>();

  private UsablePaths() {}

  /** Looks at all paths of the tiers. One that hangs does not count after ten seconds. */
  static UsablePaths of(TerraceSettings settings) {
    return of(
        settings,
        path -> {
          CacheFolder.check(path);
          return Optional.empty();
        },
        PathAnswers.LIMIT);
  }

  static UsablePaths of(
      TerraceSettings settings, PathAnswers.Question<Optional<Finding>> check, Duration limit) {
    Map<Path, Setting<?>> keys = new LinkedHashMap<>();
    settings.pmem().paths().forEach(path -> keys.put(path, TerraceSettings.PMEM_PATHS));
    settings.ssd().paths().forEach(path -> keys.put(path, TerraceSettings.SSD_PATHS));
    boolean mayMake = settings.get(TerraceSettings.CREATE_PATHS);
    UsablePaths found = new UsablePaths();
    try {
      PathAnswers<Optional<Finding>> answers =
          PathAnswers.of(
              keys.keySet(),
              path ->
                  mayMake || !Files.notExists(path, LinkOption.NOFOLLOW_LINKS)
                      ? check.ask(path)
                      : Optional.of(absent(keys.get(path), path)),
              limit);
      keys.forEach((path, key) -> found.add(path, key, answers));
    } catch (IOException e) {
      found.faults.add(unreadable(e));
    }
    return found;
  }

  private void add(Path path, Setting<?> key, PathAnswers<Optional<Finding>> answers) {
    if (!answers.has(path)) {
      silent.add(path);
    }
    try {
      answers.of(path).ifPresentOrElse(faults::add, () -> usable.add(path));
    } catch (CachePathException e) {
      faults.add(unusable(key, e));
    } catch (IOException e) {
      faults.add(unreadable(e));
    }
  }

  private static Finding absent(Setting<?> paths, Path path) {
    return Finding.error(
        paths.key() + " names " + path + ", which does not exist",
        "If its disk is not mounted, the tier would fill the disk below.",
        "mount its disk or make the directory; with "
            + TerraceSettings.CREATE_PATHS.key()
            + "=true it is made if its parent is there");
  }

  private static Finding unusable(Setting<?> paths, CachePathException cause) {
    boolean stops = cause instanceof WrongPathException;
    return new Finding(
        stops ? Finding.Severity.ERROR : Finding.Severity.OUT,
        paths.key() + " cannot be used: " + cause.problem(),
        "The tier's files lie there. They are as secret as the tables, and nobody else may change"
            + " them."
            + (stops ? "" : " The region server starts without the path, and tries it again."),
        cause.remedy());
  }

  static Finding unreadable(IOException cause) {
    return Finding.error(
        "the disks of the tiers cannot be looked at: " + Descriptors.ofThisProcess().explain(cause),
        "What cannot be read now fails at the start, too.",
        "check the disks of the paths");
  }

  /** Whether a path could be opened. */
  boolean has(Path path) {
    return usable.contains(path);
  }

  /** Whether a path hangs, so that nothing may be asked of it. */
  boolean isSilent(Path path) {
    return silent.contains(path);
  }

  /** Why the others could not be opened. */
  List<Finding> faults() {
    return faults;
  }
}
