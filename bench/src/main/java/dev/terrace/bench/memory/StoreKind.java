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
package dev.terrace.bench.memory;

import dev.terrace.bench.workload.Scratch;
import dev.terrace.pmem.MappedDevices;
import dev.terrace.pmem.PmemConfig;
import dev.terrace.ssd.FileDevices;
import dev.terrace.ssd.SsdConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The kinds of caches that are measured side by side. */
enum StoreKind {
  /** Terrace's PMem tier, mapped. */
  PMEM("Terrace PMem tier", true) {
    @Override
    Path directory(Scratch scratch) {
      return scratch.pmemDirectory();
    }

    @Override
    Store open(String directory, SmallBlocks blocks) throws IOException {
      PmemConfig config = PmemConfig.of(List.of(Path.of(directory)), sizeBytes(blocks));
      return new TierStore("pmem", MappedDevices.open(config), blocks);
    }
  },

  /** Terrace's SSD tier, through the page cache. */
  SSD("Terrace SSD tier", true) {
    @Override
    Store open(String directory, SmallBlocks blocks) throws IOException {
      SsdConfig config = SsdConfig.of(List.of(Path.of(directory)), sizeBytes(blocks), false);
      return new TierStore("ssd", FileDevices.open(config), blocks);
    }
  },

  /** BucketCache in a file, persistent. */
  BUCKET_FILE("BucketCache file:", false) {
    @Override
    Store open(String directory, SmallBlocks blocks) throws IOException {
      return new BucketStore(Path.of(directory), blocks);
    }
  };

  /** What a small record has beside its payload, with the room that stays ready for new ones. */
  private static final int RECORD_OVERHEAD_BYTES = 192;

  private static final long ROOM_BYTES = 512L << 20;

  private final String title;
  private final boolean isTerrace;

  StoreKind(String title, boolean isTerrace) {
    this.title = title;
    this.isTerrace = isTerrace;
  }

  /** Opens it in a directory, empty or with what it left there. */
  abstract Store open(String directory, SmallBlocks blocks) throws IOException;

  /** Where its files go. */
  Path directory(Scratch scratch) {
    return scratch.fileDirectory();
  }

  String title() {
    return title;
  }

  boolean isTerrace() {
    return isTerrace;
  }

  private static long sizeBytes(SmallBlocks blocks) {
    long recordBytes = (long) blocks.payloadBytes() + RECORD_OVERHEAD_BYTES;
    return blocks.count() * recordBytes + ROOM_BYTES;
  }
}
