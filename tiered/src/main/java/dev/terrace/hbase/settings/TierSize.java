// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.hbase.settings.Setting.Kind;
import dev.terrace.region.folder.PathSplit;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The size of a tier on PMem or SSD: bytes over all its paths, or a share of the disk of each.
 *
 * @param percent the share; 0 for a size in bytes
 * @param bytes the size in bytes; of a share the size on each path, none until {@link DiskShares}
 *     has measured the disks
 */
public record TierSize(int percent, List<Long> bytes) {

  private static final Pattern OF_DISK = Pattern.compile("(\\d{1,9})%(?: \\((.+)\\))?");
  private static final String PLUS = " + ";

  /** A size such as {@code 2t} or {@code 80%}; a measured share is {@code 80% (700g + 350g)}. */
  static final Kind<TierSize> KIND =
      new Kind<>() {
        private final Kind<Long> size = new Size(0, Long.MAX_VALUE);

        @Override
        public TierSize read(String text, Faults faults) {
          Matcher share = OF_DISK.matcher(text);
          if (!text.contains("%")) {
            return ofBytes(size.read(text, faults));
          }
          int percent = share.matches() ? Integer.parseInt(share.group(1)) : 0;
          if (percent < 1 || percent > 100) {
            faults.add("not-a-percentage");
            return ofBytes(0);
          }
          Stream<String> each =
              share.group(2) == null ? Stream.of() : Stream.of(share.group(2).split(" \\+ ", -1));
          return new TierSize(percent, each.map(bytes -> size.read(bytes, faults)).toList());
        }

        @Override
        public String write(TierSize value) {
          String bytes =
              value.bytes.stream().map(ByteSize::written).collect(Collectors.joining(PLUS));
          return !value.isShare()
              ? bytes
              : value.percent + "%" + (bytes.isEmpty() ? "" : " (" + bytes + ")");
        }
      };

  /** Copies the list. */
  public TierSize {
    bytes = List.copyOf(bytes);
  }

  public static TierSize ofBytes(long bytes) {
    return new TierSize(0, List.of(bytes));
  }

  public boolean isShare() {
    return percent > 0;
  }

  long totalBytes() {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }

  Map<Path, Long> of(List<Path> paths) {
    Map<Path, Long> sizes = new LinkedHashMap<>(PathSplit.even(paths, totalBytes()));
    for (int i = 0; isShare() && i < paths.size(); i++) {
      sizes.put(paths.get(i), bytes.get(i));
    }
    return sizes;
  }

  /** Such as {@code 2 TB}, or {@code 1.5 TB = 80% (1t + 500g)}. */
  @Override
  public String toString() {
    return ByteSize.readable(totalBytes()) + (isShare() ? " = " + KIND.write(this) : "");
  }
}
