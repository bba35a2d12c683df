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
package dev.terrace.bench.powercut;

import dev.terrace.bench.server.Await;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramMemory;
import dev.terrace.dram.DramTier;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.device.MemoryNodes;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells on which nodes of a machine memory lies that Terrace obtained: of a DRAM tier, of an index
 * and of a file on a tmpfs.
 */
public final class NodesGuest {

  private static final long TIER_BYTES = 256L << 20;
  private static final int INDEX_BYTES = 64 << 20;
  private static final int NODES = 2;
  private static final Path SHM = Path.of("/mnt/shm");
  private static final Pattern PAGES = Pattern.compile(" N(\\d)=(\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final MemoryNodes nodes = MemoryNodes.ofThisProcess();
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Keeps the memory from being collected before it is counted. */
  private final List<Object> held = new ArrayList<>();

  private NodesGuest() {}

  /** As in a region server. */
  public static void main(String[] args) throws IOException {
    NodesGuest guest = new NodesGuest();
    guest.out.println("FOUND " + guest.nodes);
    guest.tell("dram", guest::openDram);
    guest.tell("index", guest::obtainIndex);
    guest.tell("tmpfs", guest::openFile);
  }

  private interface Step {
    void run() throws IOException;
  }

  private void openDram() {
    Executor executor = DeviceThreads.onDemand("memory", NODES);
    DramMemory memory =
        DramMemory.inBackground(
            () -> Long.MAX_VALUE, task -> executor.execute(() -> nodes.spread(task)), NODES);
    DramTier<byte[]> tier =
        nodes.spread(
            () -> new DramTier<>(new KeyedBlocks(), new DramConfig(TIER_BYTES, 0), memory));
    held.add(tier);
    if (!Await.until(() -> tier.stats().space().capacityBytes() == TIER_BYTES, PATIENCE)) {
      throw new IllegalStateException("DRAM did not get its memory");
    }
  }

  private void obtainIndex() {
    ByteBuffer index =
        DirectMemory.JVM.within(allocation -> () -> nodes.spread(allocation)).allocate(INDEX_BYTES);
    held.add(index);
  }

  private void openFile() throws IOException {
    held.add(MappedDevice.openAll(PathSplit.of(List.of(SHM), TIER_BYTES)));
    try (Stream<Path> files = Files.walk(SHM)) {
      for (Path file : files.filter(path -> path.toFile().length() >= TIER_BYTES / 2).toList()) {
        try (FileChannel channel = FileChannel.open(file)) {
          MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
          held.add(mapped.load());
        }
      }
    }
  }

  private void tell(String what, Step step) throws IOException {
    long[] before = pages();
    step.run();
    long[] after = pages();
    StringBuilder text = new StringBuilder("NODES " + what);
    for (int node = 0; node < NODES; node++) {
      text.append(" N").append(node).append('=').append(after[node] - before[node]);
    }
    out.println(text);
  }

  /** The pages that this process has mapped, by node. */
  private static long[] pages() throws IOException {
    long[] pages = new long[NODES];
    Matcher found = PAGES.matcher(Files.readString(Path.of("/proc/self/numa_maps")));
    while (found.find()) {
      pages[Integer.parseInt(found.group(1))] += Long.parseLong(found.group(2));
    }
    return pages;
  }
}
