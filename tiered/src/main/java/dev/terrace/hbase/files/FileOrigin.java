// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a store file belongs, and how much of it HBase has cached from its start. Written into the
 * log as one line of text, for the next start:
 *
 * <pre>
 *   1 REGION TABLE [BLOCKS END]
 * </pre>
 *
 * @param region the encoded name of the region
 * @param table the table's name with its namespace; null if it is unknown, written as {@code -}
 * @param extent the part that was fully cached; null if there is none
 */
public record FileOrigin(String region, String table, Extent extent) {

  private static final Pattern TEXT =
      Pattern.compile(
          "1 ([\\w.-]{1,64}) (-|[\\w.-]{1,255}:[\\w.-]{1,255})(?: ([0-9]{1,9}) ([0-9]{1,18}))?",
          // Letters of any script: HBase allows them in table names.
          Pattern.UNICODE_CHARACTER_CLASS);

  /**
   * The part of a file that HBase went through to cache it.
   *
   * @param blocks the number of blocks before {@code endOffset}
   * @param endOffset the end of the part, which begins at the start of the file
   */
  public record Extent(int blocks, long endOffset) {}

  /** The origin as text. */
  String text() {
    String text = "1 " + region + " " + (table == null ? "-" : table);
    return extent == null ? text : text + " " + extent.blocks + " " + extent.endOffset;
  }

  /** Parses an origin; null if the text is not one of this version. */
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
