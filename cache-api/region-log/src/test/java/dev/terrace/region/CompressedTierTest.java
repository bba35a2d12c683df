// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Payloads;
import dev.terrace.region.compression.BlockCompressor;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;

/** A region tier that compresses its blocks is a tier as any other. */
class CompressedTierTest extends SimulatedTierContract {

  private final ReadCopies scratch = new ReadCopies(ByteBufAllocator.DEFAULT);

  @AfterEach
  void scratchIsFreed() {
    assertThat(scratch.bytes()).isZero();
  }

  @Override
  protected boolean isMapped() {
    return true;
  }

  /** How blocks are compressed. */
  Compression compression() {
    return Compression.LZ4;
  }

  @Override
  protected RegionConfig config() {
    return RegionConfig.named("test", FILES).withCompression(compression());
  }

  @Override
  protected int storedBytes(String file, long offset, int sizeBytes) {
    BlockCompressor compressor = new BlockCompressor(compression(), scratch);
    if (!compressor.isWorthTrying(file, sizeBytes)) {
      return sizeBytes;
    }
    ByteBuffer plain = ByteBuffer.allocateDirect(sizeBytes);
    plain.put(0, Payloads.of(file, offset, sizeBytes));
    ReadCopy compressed = compressor.compress(file, plain);
    int storedBytes = compressed.bytes().remaining();
    compressed.free();
    assertThat(storedBytes).isLessThan(sizeBytes);
    return storedBytes;
  }

  /** Each hit is decompressed into memory of its own. */
  @Override
  protected boolean sharesInstances() {
    return false;
  }
}
