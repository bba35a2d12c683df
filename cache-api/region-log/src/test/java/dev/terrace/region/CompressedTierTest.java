/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Payloads;
import dev.terrace.region.compression.BlockCompressor;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.memory.ReadCopy;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;

/** A region tier that compresses its blocks is a tier as any other. */
class CompressedTierTest extends SimulatedTierContract {

  private final LongAdder scratchBytes = new LongAdder();

  @AfterEach
  void scratchIsFreed() {
    assertThat(scratchBytes.sum()).isZero();
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
    return RegionConfig.named("test").withCompression(compression());
  }

  @Override
  protected int storedBytes(String file, long offset, int sizeBytes) {
    BlockCompressor compressor =
        new BlockCompressor(
            compression(),
            lengthBytes -> new ReadCopy(ByteBufAllocator.DEFAULT, lengthBytes, scratchBytes));
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
