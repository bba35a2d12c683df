// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Checks whether a start with given settings keeps the blocks that are on the paths. */
public final class PathContents {

  private static final String CACHE_COMPRESSED = "hbase.block.data.cachecompressed";
  private static final String CACHE_ON_READ = "hbase.block.data.cacheonread";

  private PathContents() {}

  /**
   * The settings that the bytes of blocks depend on; a path with another text starts empty. HBase
   * caches data blocks packed, as they are in their file, or unpacked, and a reader that expects
   * one form cannot read the other. It packs blocks only if it also caches them on read.
   */
  public static String text(SiteValues site, TerraceSettings settings) {
    boolean packed =
        site.isTrue(CACHE_COMPRESSED) && !site.get(CACHE_ON_READ, "").equalsIgnoreCase("false");
    Setting<DeviceEncryption> encryption = TerraceSettings.ENCRYPTION;
    boolean encrypted =
        settings.get(encryption) != DeviceEncryption.NONE && settings.hasLastingTier();
    return CACHE_COMPRESSED
        + "="
        + packed
        + (encrypted ? " " + encryption.with(settings.get(encryption)) : "");
  }

  /**
   * Warns of blocks that the start discards.
   *
   * @param silent paths that must not be accessed
   */
  public static List<Finding> discarded(
      SiteValues site, TerraceSettings settings, Predicate<Path> silent) {
    List<Finding> findings = new ArrayList<>();
    for (DeviceKind kind : DeviceKind.values()) {
      TierSpace space = kind == DeviceKind.PMEM ? settings.pmem() : settings.ssd();
      for (Path path : space.paths().stream().filter(silent.negate()).toList()) {
        try {
          CacheFolder.whyDiscarded(
                  space
                      .split()
                      .withContents(text(site, settings), Optional.empty())
                      .spec(path, kind))
              .ifPresent(why -> findings.add(discarded(path, why)));
        } catch (IOException e) {
          // PathCheck reports it.
        }
      }
    }
    return findings;
  }

  private static Finding discarded(Path path, String why) {
    return Finding.warning(
        path + " is " + why,
        "The start discards the blocks that lie there: the tier begins cold.",
        "nothing, if that is meant; or go back to the version or the settings of before");
  }
}
