// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.FileUsage;
import dev.terrace.api.TestEffort;
import dev.terrace.api.TestFiles;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The index against a map, over many random lives. */
class RegionIndexModelTest {

  private static final int SEEDS = TestEffort.times(600);
  private static final int STEPS = 1_500;

  @Test
  void agreesWithTheModel() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        new Life(seed).live();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
  }

  /** What the model knows of a block; also what a visitor is told. */
  private record Block(long address, BlockTraits traits, boolean verified, int hits) {

    Block withoutVerified() {
      return new Block(address, traits, false, hits);
    }
  }

  private static final class Life {

    private final SplittableRandom random;
    private final RegionIndex index =
        new RegionIndex(new IndexPages(4, new DirectMemory(ByteBuffer::allocateDirect)));
    private final Map<String, Map<Long, Block>> model = new HashMap<>();
    private final Map<String, Boolean> claims = new HashMap<>();
    private final LongUnaryOperator offsets;
    private final int keys;
    private final int files;
    private boolean growing = true;

    Life(int seed) {
      random = new SplittableRandom(seed);
      files = 1 + random.nextInt(4);
      keys = 1 << random.nextInt(1, 11);
      offsets = offsets(random.nextInt(5));
    }

    private LongUnaryOperator offsets(int kind) {
      long start = random.nextLong() & RegionIndex.MAX_OFFSET;
      return switch (kind) {
        case 0 -> i -> i << 16;
        case 1 -> i -> RegionIndex.MAX_OFFSET - i;
        case 2 -> i -> i * start & RegionIndex.MAX_OFFSET; // collides where start is even
        // Neighbours in the table, anywhere in it, and at its very end.
        case 3 -> i -> IndexSlot.offsetOfKey(start + i & RegionIndex.MAX_OFFSET);
        default -> i -> IndexSlot.offsetOfKey(RegionIndex.MAX_OFFSET - i);
      };
    }

    private long offset() {
      return offsets.applyAsLong(random.nextInt(keys));
    }

    private String file() {
      return "file-" + random.nextInt(files);
    }

    private long randomAddress() {
      return BlockAddress.of(
          random.nextInt(4), random.nextInt(64) * 64, 1 + random.nextInt(100_000));
    }

    private BlockTraits randomTraits() {
      return new BlockTraits(
          random.nextInt(BlockTraits.TYPES), Residency.values()[random.nextInt(2)]);
    }

    private Block block(String file, long offset) {
      return model.getOrDefault(file, Map.of()).get(offset);
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        if (step % 300 == 0) {
          growing = random.nextInt(3) > 0;
        }
        int dice = random.nextInt(1_000);
        if (dice < 3) {
          removeFile(file());
        } else if (dice < 8) {
          removeRange(file(), offset(), offset());
        } else if (dice < 9) {
          clear();
        } else if (dice < (growing ? 600 : 250)) {
          insert(file(), offset());
        } else if (dice < 750) {
          remove(file(), offset());
        } else {
          change(file(), offset());
        }
        assertFound(file(), offset());
        assertThat(index.blocks()).isEqualTo(model.values().stream().mapToInt(Map::size).sum());
        if (step % 100 == 0) {
          assertSame();
        }
      }
      assertSame();
      clear();
      assertSame();
      assertThat(index.files()).isExhausted();
    }

    private void insert(String file, long offset) {
      boolean recovered = random.nextInt(4) == 0;
      boolean verified = !recovered && random.nextBoolean();
      Block added = new Block(randomAddress(), randomTraits(), verified, 0);
      boolean absent = block(file, offset) == null;
      boolean inserted =
          recovered
              ? index.insert(TestFiles.file(file), offset, added.address, added.traits, false)
              : index.insert(TestFiles.file(file), offset, added.address, added.traits, verified);
      assertThat(inserted).isEqualTo(absent);
      if (absent) {
        claims.putIfAbsent(file, verified);
        model.computeIfAbsent(file, name -> new TreeMap<>()).put(offset, added);
      }
      assertFound(file, offset);
    }

    private void remove(String file, long offset) {
      Block present = block(file, offset);
      long address = present == null ? BlockAddress.NONE : present.address;
      if (random.nextBoolean()) {
        assertThat(index.remove(TestFiles.file(file), offset)).isEqualTo(address);
      } else {
        assertThat(index.remove(TestFiles.file(file), offset, address ^ 1L << 30)).isFalse();
        assertThat(index.remove(TestFiles.file(file), offset, address)).isEqualTo(present != null);
      }
      if (present != null) {
        model.get(file).remove(offset);
        forgetIfEmpty(file);
      }
      assertFound(file, offset);
    }

    private void forgetIfEmpty(String file) {
      if (model.getOrDefault(file, Map.of()).isEmpty()) {
        model.remove(file);
        claims.remove(file);
      }
    }

    private void change(String file, long offset) {
      Block present = block(file, offset);
      IndexEntry entry = index.find(TestFiles.file(file), offset);
      assertThat(entry == null).isEqualTo(present == null);
      int kind = random.nextInt(5);
      if (kind == 0) {
        boolean isClaimed = random.nextBoolean();
        boolean changes = claims.getOrDefault(file, isClaimed) != isClaimed;
        assertThat(index.claim(TestFiles.file(file), isClaimed)).isEqualTo(changes);
        claims.computeIfPresent(file, (name, claimed) -> isClaimed);
      } else if (kind == 1) {
        index.touch(TestFiles.file(file), offset);
      } else if (kind == 2 && entry != null) {
        index.touch(entry);
      } else if (kind == 3 && entry != null) {
        index.setVerified(entry);
      } else if (kind == 4) {
        replace(file, offset, present);
      }
      if (present != null && kind > 0 && kind < 4) {
        int hits = kind == 3 ? present.hits : Math.min(3, present.hits + 1);
        Block changed =
            new Block(present.address, present.traits, present.verified || kind == 3, hits);
        model.get(file).put(offset, changed);
      }
      assertFound(file, offset);
    }

    private void replace(String file, long offset, Block present) {
      long to = randomAddress();
      if (present == null) {
        assertThat(index.replace(TestFiles.file(file), offset, to, randomAddress())).isFalse();
        return;
      }
      assertThat(index.replace(TestFiles.file(file), offset, present.address ^ 1L << 30, to))
          .isFalse();
      assertThat(index.replace(TestFiles.file(file), offset, present.address, to)).isTrue();
      model.get(file).put(offset, new Block(to, present.traits, present.verified, 0));
    }

    private void removeFile(String file) {
      Map<Long, Block> removed = new TreeMap<>();
      index.removeRange(TestFiles.file(file), 0, RecordLayout.MAX_OFFSET).forEach(into(removed));
      assertThat(removed).isEqualTo(unverified(model.getOrDefault(file, Map.of())));
      model.remove(file);
      forgetIfEmpty(file);
    }

    private void removeRange(String file, long from, long to) {
      Map<Long, Block> expected = new TreeMap<>(model.getOrDefault(file, Map.of()));
      expected.keySet().removeIf(offset -> offset < from || offset > to);
      Map<Long, Block> removed = new TreeMap<>();
      index.removeRange(TestFiles.file(file), from, to).forEach(into(removed));
      assertThat(removed).isEqualTo(unverified(expected));
      model.getOrDefault(file, new HashMap<>()).keySet().removeAll(expected.keySet());
      forgetIfEmpty(file);
    }

    private void clear() {
      List.copyOf(model.keySet()).forEach(file -> removeRange(file, 0, RegionIndex.MAX_OFFSET));
    }

    private static Consumer<IndexEntry> into(Map<Long, Block> visited) {
      return entry -> {
        Block block = new Block(entry.address(), entry.traits(), false, entry.hits());
        assertThat(visited.put(entry.offset(), block)).isNull();
      };
    }

    private static Map<Long, Block> unverified(Map<Long, Block> blocks) {
      Map<Long, Block> unverified = new TreeMap<>(blocks);
      unverified.replaceAll((offset, block) -> block.withoutVerified());
      return unverified;
    }

    private void assertFound(String file, long offset) {
      Block expected = block(file, offset);
      IndexEntry entry = index.find(TestFiles.file(file), offset);
      if (expected == null) {
        assertThat(entry).isNull();
        assertThat(index.address(TestFiles.file(file), offset)).isEqualTo(BlockAddress.NONE);
        return;
      }
      assertThat(index.address(TestFiles.file(file), offset)).isEqualTo(expected.address);
      assertThat(entry.file().name()).isEqualTo(file);
      assertThat(entry.offset()).isEqualTo(offset);
      assertThat(block(entry)).isEqualTo(expected);
      assertThat(index.isCurrent(entry)).isTrue();
    }

    private static Block block(IndexEntry entry) {
      return new Block(entry.address(), entry.traits(), entry.isVerified(), entry.hits());
    }

    private void assertSame() {
      Map<String, Map<Long, Block>> listed = new HashMap<>();
      index
          .entries()
          .forEach(
              entry -> {
                Map<Long, Block> file =
                    listed.computeIfAbsent(entry.file().name(), name -> new TreeMap<>());
                assertThat(file.put(entry.offset(), block(entry))).isNull();
                assertThat(index.isCurrent(entry)).isTrue();
              });
      assertThat(listed).isEqualTo(model);
      Map<String, FileUsage> usages = new HashMap<>();
      index.files().forEachRemaining(usage -> usages.put(usage.file().name(), usage));
      assertThat(usages.keySet()).isEqualTo(model.keySet());
      long bytes = 0;
      for (int i = 0; i < files; i++) {
        String file = "file-" + i;
        Map<Long, Block> blocks = model.getOrDefault(file, Map.of());
        long fileBytes =
            blocks.values().stream().mapToLong(b -> BlockAddress.payloadBytes(b.address)).sum();
        bytes += fileBytes;
        FileUsage usage = new FileUsage(TestFiles.file(file), blocks.size(), fileBytes);
        assertThat(index.usage(TestFiles.file(file))).isEqualTo(usage);
        assertThat(usages.getOrDefault(file, usage)).isEqualTo(usage);
        assertThat(index.isClaimed(TestFiles.file(file)))
            .isEqualTo(claims.getOrDefault(file, false));
        Map<Long, Block> visited = new TreeMap<>();
        index.walk(TestFiles.file(file)).forEachRemaining(into(visited));
        assertThat(visited).isEqualTo(unverified(blocks));
      }
      assertThat(index.payloadBytes()).isEqualTo(bytes);
    }
  }
}
