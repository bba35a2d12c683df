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
package dev.terrace.bench.server;

import dev.terrace.bench.cli.ByteSize;

/**
 * The memory and the space that a server's block cache gets.
 *
 * @param heap Java heap of the server, without what a cache on the heap takes
 * @param dram memory for cached blocks, on the heap or off it
 * @param pmem space of a PMem tier
 * @param ssd space of an SSD tier, or of BucketCache's file
 */
public record CacheSizes(ByteSize heap, ByteSize dram, ByteSize pmem, ByteSize ssd) {

  private static final double MEMSTORE_SHARE = 0.4;

  /** Checks that HBase would start with these. */
  public CacheSizes {
    // HBase wants a fifth of its heap for everything but caches and memstores.
    if (dram.bytes() > 2 * heap.bytes()) {
      throw new IllegalArgumentException(
          "dram " + dram + " is more than twice the heap of " + heap + "; take a larger heap");
    }
  }

  /** Returns the sizes for people, without those that are zero. */
  public String inWords() {
    return "heap "
        + heap
        + (dram.bytes() == 0 ? "" : ", DRAM " + dram)
        + (pmem.bytes() == 0 ? "" : ", PMem " + pmem)
        + (ssd.bytes() == 0 ? "" : ", SSD " + ssd);
  }

  public ByteSize heapAndDram() {
    return new ByteSize(heap.bytes() + dram.bytes());
  }

  /** Returns the share that an LRU cache of the DRAM bytes has of a heap that is larger by them. */
  double lruShare() {
    return (double) dram.bytes() / heapAndDram().bytes();
  }

  /** Returns the share of that heap which gives memstores the bytes that they have without it. */
  double memstoreShareBesideLru() {
    return MEMSTORE_SHARE * heap.bytes() / heapAndDram().bytes();
  }
}
