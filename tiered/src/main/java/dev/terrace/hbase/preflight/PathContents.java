// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.preflight;

import dev.terrace.hbase.settings.Setting;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;

/** What the blocks on the paths depend on. */
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
}
