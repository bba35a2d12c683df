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
package dev.terrace.bench.terabytes;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionLife;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** Writes the ends of all regions of an SSD tier, as if it were full of {@link HollowBlocks}. */
record HollowFill(Tiers tiers) implements OwnJvm.Task<HollowFill.Written> {

  private static final BlockTraits DATA = new BlockTraits(0, Residency.ORDINARY);
  private static final int HEAD_BYTES = 4096;
  private static final int TAIL_BYTES = 16 << 10;

  /** What was written. */
  record Written(int regions) {}

  @Override
  public Written run() throws IOException, InterruptedException {
    // Makes the folders, with secrets of their own.
    TieredBlockCache empty = tiers.open();
    if (!tiers.close(empty)) {
      throw new IOException("an empty cache does not stop");
    }
    HollowBlocks blocks = new HollowBlocks(tiers.regions());
    BlockSet real = blocks.real();
    int first = 0;
    for (Path path : tiers.ssdPaths()) {
      Path folder = path.resolve("terrace");
      byte[] superblockFile = Files.readAllBytes(folder.resolve("superblock"));
      Superblock superblock = Superblock.decode(superblockFile).superblock().orElseThrow();
      try (FileChannel file =
          FileChannel.open(folder.resolve("regions"), StandardOpenOption.WRITE)) {
        Regions regions = new Regions(superblock, real, first, file);
        for (int slot = 0; slot < superblock.geometry().regions(); slot++) {
          regions.write(slot);
        }
        file.force(true);
      }
      first += superblock.geometry().regions();
    }
    return new Written(first);
  }

  /** The regions of one path, written from the first to the last. */
  private static final class Regions {

    private final HBaseBlockCodec codec = new HBaseBlockCodec();
    private final Superblock superblock;
    private final BlockSet real;
    private final int firstRegion;
    private final FileChannel file;
    private final Sequence sequence;
    private final int regionBytes;
    private final ByteBuffer head =
        RecordLayout.littleEndian(ByteBuffer.allocateDirect(HEAD_BYTES));
    private final ByteBuffer tail =
        RecordLayout.littleEndian(ByteBuffer.allocateDirect(TAIL_BYTES));

    Regions(Superblock superblock, BlockSet real, int firstRegion, FileChannel file) {
      this.superblock = superblock;
      this.real = real;
      this.firstRegion = firstRegion;
      this.file = file;
      this.sequence = new Sequence(superblock.generation());
      this.regionBytes = superblock.geometry().regionBytes();
    }

    void write(int slot) throws IOException {
      RegionLife life = RegionLife.begin(superblock.secret());
      long now = System.currentTimeMillis();
      long start = sequence.next();
      new RegionLayout.Header(slot, life, start, now).write(head.clear());
      List<RegionTable.Entry> entries =
          new ArrayList<>(List.of(writeReal(firstRegion + slot, life)));
      int recordBytes =
          RecordLayout.recordBytes(HollowBlocks.NAME_BYTES, HollowBlocks.PAYLOAD_BYTES);
      int position = HEAD_BYTES;
      Map<String, String> origins = new HashMap<>();
      for (int block = 0; block < HollowBlocks.IN_REGION; block++, position += recordBytes) {
        int number = HollowBlocks.file(firstRegion + slot, block);
        String name = HollowBlocks.name(number);
        origins.computeIfAbsent(name, absent -> HollowBlocks.origin(number));
        long offset = HollowBlocks.offset(firstRegion + slot, block);
        entries.add(entry(position, HollowBlocks.PAYLOAD_BYTES, name, offset, sequence.next()));
      }
      writeTail(new RegionLayout.Header(slot, life, start, now), entries, origins);
      long base = (long) slot * regionBytes;
      file.write(head.clear(), base);
      file.write(tail, base + regionBytes - tail.remaining());
    }

    private static RegionTable.Entry entry(
        int position, int payloadBytes, String file, long offset, long sequence) {
      return new RegionTable.Entry(position, payloadBytes, file, offset, sequence, DATA, true);
    }

    private RegionTable.Entry writeReal(int region, RegionLife life) {
      Cacheable block = real.newBlock(region);
      byte[] name = BlockRecord.nameOf(real.file(region));
      int payloadBytes = codec.sizeBytes(block);
      int at = RegionLayout.FIRST_RECORD;
      int payloadAt = at + RecordLayout.headerBytes(name.length);
      long number = sequence.next();
      int recordBytes = RecordLayout.recordBytes(name.length, payloadBytes);
      BlockRecord.reserve(head, at, life, recordBytes, number);
      codec.encode(block, head.position(payloadAt));
      int crc = RecordLayout.crc(head, payloadAt, payloadBytes);
      BlockRecord.write(head, at, life, name, real.offset(region), payloadBytes, crc, 0, 0, DATA);
      return entry(at, payloadBytes, real.file(region), real.offset(region), number);
    }

    /** Table and footer, at the end of {@link #tail}. */
    private void writeTail(
        RegionLayout.Header header, List<RegionTable.Entry> entries, Map<String, String> origins) {
      List<String> names = entries.stream().map(RegionTable.Entry::file).distinct().toList();
      Map<String, Integer> numbers = new HashMap<>();
      names.forEach(name -> numbers.put(name, numbers.size()));
      int tableBytes = entries.size() * RegionTable.ENTRY_BYTES;
      for (String name : names) {
        tableBytes += RegionTable.fileBytes(name.length(), origins.getOrDefault(name, "").length());
      }
      int end = TAIL_BYTES - RegionLayout.FOOTER_BYTES;
      int start = end - tableBytes;
      new RegionTable(entries, origins).write(tail.clear().position(start), names, numbers);
      int position = RegionLayout.footerPosition(regionBytes) - tableBytes;
      new RegionLayout.Footer(
              header.region(),
              header.life(),
              header.firstSequence(),
              entries.get(entries.size() - 1).sequence(),
              header.openedMillis(),
              entries.size(),
              names.size(),
              tableBytes,
              header.life().check(RegionLife.Part.TABLE, position, tail, start, end),
              0,
              0)
          .write(RecordLayout.littleEndian(tail.slice(end, RegionLayout.FOOTER_BYTES)));
      tail.clear().position(start & -HEAD_BYTES);
    }
  }
}
