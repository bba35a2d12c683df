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
package dev.terrace.bench.jmh;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say what {@code bench hit} measures. */
final class HitSelection {

  private static final int USUAL_BLOCK_SIZE_BYTES = 64 << 10;
  private static final List<Integer> ALL_BLOCK_SIZES_BYTES =
      List.of(4 << 10, USUAL_BLOCK_SIZE_BYTES, 256 << 10);
  private static final List<Integer> USUAL_THREADS = List.of(1, 2);

  private static final int LEAST_BLOCK_SIZE_BYTES = 1 << 10;
  private static final int MOST_BLOCK_SIZE_BYTES = 4 << 20;

  @Option(
      names = "--operations",
      split = ",",
      paramLabel = "NAME",
      converter = OperationConverter.class,
      description = "hit, miss, put, mixed, evict-file (default: hit).")
  List<Operation> operations;

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
      description =
          "floor, pread, lru, tinylfu, bucket-offheap, bucket-file, bucket-file-pooled,"
              + " bucket-pmem, terrace, terrace-all, terrace-pmem, terrace-ssd,"
              + " terrace-ssd-noverify (default: these); bucket-pmem-disk, terrace-pmem-disk,"
              + " pread-direct, terrace-ssd-direct.")
  List<CacheKind> caches;

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "4k, 64k, 256k or others (default: 64k).")
  List<ByteSize> blockSizes;

  @Option(
      names = "--distributions",
      split = ",",
      paramLabel = "NAME",
      converter = Converters.Distribution.class,
      description = "zipf, uniform (default: zipf).")
  List<KeyDistribution> distributions;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      converter = Converters.Threads.class,
      description = "1, 2 or more; 2x is twice the number of cores (default: 1,2).")
  List<Integer> threads;

  @Option(
      names = "--all",
      description =
          "All operations and caches, and up to twice as many threads as cores; hits with all block"
              + " sizes and both distributions. Some hours.")
  boolean all;

  /** Reads an operation by its label. */
  static final class OperationConverter implements ITypeConverter<Operation> {
    @Override
    public Operation convert(String value) {
      try {
        return Operation.ofLabel(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /**
   * The cases, in the order in which a round runs them.
   *
   * @throws IllegalArgumentException naming the option that is wrong
   */
  List<HitCase> cases() {
    Set<HitCase> cases = new LinkedHashSet<>();
    for (Operation operation : operations()) {
      boolean everything = all && operation == Operation.HIT;
      cases.addAll(
          HitCase.all(
              operation,
              caches != null ? caches : CacheKind.USUAL,
              blockSizesBytes(everything),
              distributions(everything),
              threadCounts()));
      if (all && caches == null) {
        cases.addAll(
            HitCase.all(
                operation,
                CacheKind.ALL,
                blockSizesBytes(false),
                distributions(false),
                threadCounts()));
      }
    }
    if (cases.isEmpty()) {
      throw new IllegalArgumentException(
          "--operations and --caches: nothing to measure, since the floors have only hits and"
              + " misses");
    }
    return List.copyOf(cases);
  }

  /** The cases of which single operations are timed, too. */
  List<HitCase> timed(List<HitCase> cases) {
    return all && blockSizes == null && distributions == null
        ? cases.stream()
            .filter(each -> each.blockSizeBytes() == USUAL_BLOCK_SIZE_BYTES)
            .filter(each -> each.distribution() == KeyDistribution.ZIPF)
            .toList()
        : cases;
  }

  private List<Operation> operations() {
    if (operations != null) {
      return operations;
    }
    return all ? List.of(Operation.values()) : List.of(Operation.HIT);
  }

  private List<Integer> blockSizesBytes(boolean everything) {
    if (blockSizes != null) {
      return blockSizes.stream().map(HitSelection::blockSizeBytes).toList();
    }
    return everything ? ALL_BLOCK_SIZES_BYTES : List.of(USUAL_BLOCK_SIZE_BYTES);
  }

  private List<KeyDistribution> distributions(boolean everything) {
    if (distributions != null) {
      return distributions;
    }
    return everything
        ? List.of(KeyDistribution.ZIPF, KeyDistribution.UNIFORM)
        : List.of(KeyDistribution.ZIPF);
  }

  private List<Integer> threadCounts() {
    if (threads != null) {
      return threads;
    }
    return all ? doubling(2 * Runtime.getRuntime().availableProcessors()) : USUAL_THREADS;
  }

  /** 1, 2, 4 and so on, and the most. */
  static List<Integer> doubling(int most) {
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count < most; count *= 2) {
      counts.add(count);
    }
    counts.add(most);
    return List.copyOf(counts);
  }

  private static int blockSizeBytes(ByteSize size) {
    if (size.bytes() < LEAST_BLOCK_SIZE_BYTES || size.bytes() > MOST_BLOCK_SIZE_BYTES) {
      throw new IllegalArgumentException("--block-sizes=" + size + ": must be from 1k to 4m");
    }
    return (int) size.bytes();
  }
}
