// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.compression;

import dev.terrace.region.format.StoredForm;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.function.Supplier;

/** How a tier compresses its blocks. Any thread may call any method. */
public enum Compression {
  NONE(StoredForm.PLAIN, () -> null, () -> null),
  /** The block format of LZ4: fast. */
  LZ4(StoredForm.LZ4, Lz4Compressor::new, Lz4Decompressor::new),
  /** A frame of Zstandard: smaller, and slower. */
  ZSTD(StoredForm.ZSTD, ZstdCompressor::new, ZstdDecompressor::new);

  private final int form;

  // Each is for one thread at a time, and has tables of its own.
  @SuppressWarnings("ImmutableEnumChecker")
  private final ThreadLocal<Compressor> compressors;

  @SuppressWarnings("ImmutableEnumChecker")
  private final ThreadLocal<Decompressor> decompressors;

  Compression(int form, Supplier<Compressor> compressor, Supplier<Decompressor> decompressor) {
    this.form = form;
    this.compressors = ThreadLocal.withInitial(compressor);
    this.decompressors = ThreadLocal.withInitial(decompressor);
  }

  /** The {@link StoredForm} of what it compressed. */
  public int form() {
    return form;
  }

  /** The most bytes that compressing this many can give. Not for {@link #NONE}. */
  int maxBytes(int plainBytes) {
    return compressors.get().maxCompressedLength(plainBytes);
  }

  /**
   * Compresses bytes. Not for {@link #NONE}.
   *
   * @param plain direct, from its position to its limit; neither changes
   * @param target direct, with room for {@link #maxBytes}; its position is advanced
   */
  void compress(ByteBuffer plain, ByteBuffer target) {
    compressors.get().compress(plain.duplicate(), target);
  }

  /**
   * Decompresses what {@link #compress} made. Other bytes do no harm, but may give wrong ones.
   *
   * @param form names the compression
   * @param compressed direct, from its position to its limit; neither changes
   * @param plain direct; filled to its limit
   * @return false if the bytes cannot be decompressed, or have another length; then the contents of
   *     {@code plain} are undefined
   */
  public static boolean decompress(int form, ByteBuffer compressed, ByteBuffer plain) {
    Compression of = form == LZ4.form ? LZ4 : form == ZSTD.form ? ZSTD : null;
    if (of == null) {
      return false;
    }
    try {
      of.decompressors.get().decompress(compressed.duplicate(), plain);
      return !plain.hasRemaining();
    } catch (RuntimeException e) {
      // The library throws several exceptions for malformed bytes. Drops this decompressor.
      of.decompressors.remove();
      return false;
    }
  }

  /** As it is written in settings. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
