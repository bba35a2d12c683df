// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a store file belongs, and how much of it HBase went through to have it cached. Written into
 * the log as one line of text, so that a restart knows it:
 *
 * <pre>
 *   1 REGION TABLE [BLOCKS END]
 * </pre>
 *
 * @param region the encoded name of the region
 * @param table the table's name with its namespace; null if it is unknown, written as {@code -}
 * @param extent what was cached as a whole; null if nothing was
 */
public record FileOrigin(String region, String table, Extent extent) {

  private static final Pattern TEXT =
      Pattern.compile(
          "1 ([\\w.-]{1,64}) (-|[\\w.-]{1,255}:[\\w.-]{1,255})(?: ([0-9]{1,9}) ([0-9]{1,18}))?",
          // Letters of any script: HBase's names of tables may have them.
          Pattern.UNICODE_CHARACTER_CLASS);

  /**
   * The part of a file that HBase went through to have it cached.
   *
   * @param blocks how many blocks there are before {@code endOffset}
   * @param endOffset where the part ends that begins with the file
   */
  public record Extent(int blocks, long endOffset) {}

  /** The origin as text. */
  String text() {
    String text = "1 " + region + " " + (table == null ? "-" : table);
    return extent == null ? text : text + " " + extent.blocks + " " + extent.endOffset;
  }

  /** The origin in a text; null if it is not one of this version. */
  static FileOrigin parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String table = parts.group(2).equals("-") ? null : parts.group(2);
    Extent extent =
        parts.group(3) == null
            ? null
            : new Extent(Integer.parseInt(parts.group(3)), Long.parseLong(parts.group(4)));
    return new FileOrigin(parts.group(1), table, extent);
  }
}
