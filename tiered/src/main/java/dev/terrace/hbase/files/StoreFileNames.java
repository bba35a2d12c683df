// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.util.regex.Pattern;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * Parses the names of store files: which file contains the blocks, and what kind of file it is.
 *
 * <pre>
 *   plain       file                  32 hexadecimal digits
 *   link        table=region-file     a clone's or snapshot's way to a file of another table
 *   reference   file.parent           half of a file of the region that was split, or of a link
 *   MOB file    hash date uuid_region 72 hexadecimal digits before the region
 * </pre>
 */
public final class StoreFileNames {

  /** The length of a plain name. All others are longer. */
  private static final int PLAIN_LENGTH = 32;

  private static final int MOB_DIGITS = 72;
  private static final Pattern MOB = Pattern.compile("\\p{XDigit}{" + MOB_DIGITS + "}(?:_.*)?");

  private StoreFileNames() {}

  /** Whether it is a plain file name, neither link nor reference. */
  public static boolean isPlain(String name) {
    return name.length() <= PLAIN_LENGTH;
  }

  /**
   * The name of the file that contains the named file's blocks: that of the file itself, even if
   * links and references lead to it.
   */
  public static String physical(String name) {
    if (isPlain(name)) {
      return name;
    }
    String referred = isReference(name) ? name.substring(0, name.lastIndexOf('.')) : name;
    return isLink(referred) ? HFileLink.getReferencedHFileName(referred) : referred;
  }

  private static boolean isLink(String name) {
    return name.indexOf('=') > 0 && HFileLink.isHFileLink(name);
  }

  /**
   * The region whose file a reference points to, and which was split or merged; null if the name is
   * not that of a reference.
   */
  public static String parentRegion(String name) {
    return isReference(name) ? name.substring(name.lastIndexOf('.') + 1) : null;
  }

  /**
   * Whether the name is that of a reference. A link is not one, even if its table's name has a dot
   * after hexadecimal digits, such as {@code db.users}.
   */
  public static boolean isReference(String name) {
    return !isPlain(name)
        && name.lastIndexOf('.') > 0
        && StoreFileInfo.isReference(name)
        && !HFileLink.isHFileLink(name);
  }

  /** Whether the name is that of a MOB file; before HBase 2.3 those names have no region. */
  public static boolean isMob(String name) {
    return name.length() >= MOB_DIGITS && MOB.matcher(name).matches();
  }
}
