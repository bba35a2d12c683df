// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/** An HFile of rows with numbers, for any version of HBase from 2.5 on. */
public final class HFileRows {

  public static final int ROWS = 4_000;

  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.UTF_8);

  private HFileRows() {}

  private static byte[] row(int number) {
    return String.format(Locale.ROOT, "row-%06d", number).getBytes(StandardCharsets.UTF_8);
  }

  public static void write(
      Configuration conf, CacheConfig cacheConfig, Path path, Compression.Algorithm compression)
      throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, cacheConfig)
            .withPath(FileSystem.getLocal(conf), path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(4 << 10)
                    .withCompression(compression)
                    .build())
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        writer.append(new KeyValue(row(number), FAMILY, FAMILY, 1L, row(number)));
      }
    }
  }

  /**
   * Reads all rows.
   *
   * @return how many were as they were written
   */
  public static int read(Configuration conf, CacheConfig cacheConfig, Path path)
      throws IOException {
    int right = 0;
    try (HFile.Reader reader =
            HFile.createReader(FileSystem.getLocal(conf), path, cacheConfig, true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        byte[] expected = row(right);
        right +=
            Arrays.equals(CellUtil.cloneRow(scanner.getCell()), expected)
                    && Arrays.equals(CellUtil.cloneValue(scanner.getCell()), expected)
                ? 1
                : 0;
      }
    }
    return right;
  }
}
