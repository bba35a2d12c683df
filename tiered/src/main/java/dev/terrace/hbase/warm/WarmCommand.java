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
package dev.terrace.hbase.warm;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.warm.list.HeatList;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What an operator has a server warm, and how far that is. Guarded by its warmer. */
final class WarmCommand {

  private final String name;
  private final String family;
  private final boolean isOfAll;
  private final HeatList list;
  private final Predicate<String> hasRoom;
  private final long sinceNanos = System.nanoTime();
  private final List<Warming> regions = new ArrayList<>();
  private int openRegions;
  private long unreadBytes;
  private String end;

  /**
   * A command for no region yet.
   *
   * @param name of the table or family, as it was written
   * @param family null for all of the table
   * @param isOfAll whether what is not known to be hot comes after what is
   * @param list what is hot, in place of the regions' own lists; null for those
   * @param hasRoom whether blocks of a file that nobody named hot may come, by its name
   */
  WarmCommand(
      String name, String family, boolean isOfAll, HeatList list, Predicate<String> hasRoom) {
    this.name = name;
    this.family = family;
    this.isOfAll = isOfAll;
    this.list = list;
    this.hasRoom = hasRoom;
  }

  String family() {
    return family;
  }

  /** Null if the regions' own lists are meant. */
  HeatList list() {
    return list;
  }

  boolean isOfAll() {
    return isOfAll;
  }

  boolean hasRoom(String file) {
    return hasRoom.test(file);
  }

  void add(Warming region) {
    regions.add(region);
    openRegions++;
  }

  /** Bytes of files were left for want of room. */
  void leave(long bytes) {
    unreadBytes += bytes;
  }

  /** A region of it is warm, or closed. */
  void regionEnded() {
    openRegions--;
    if (openRegions == 0) {
      end("done");
    }
  }

  /** Has it end, if it has not. */
  void end(String how) {
    if (end == null) {
      String last = describe(how);
      end = last;
      regions.clear();
    }
  }

  boolean isRunning() {
    return end == null;
  }

  /** A line: {@code running}, {@code done} or {@code stopped}, a colon, and the figures. */
  @Override
  public String toString() {
    return end == null ? describe("running") : end;
  }

  private String describe(String state) {
    Map<Fate, Long> fates = new EnumMap<>(Fate.class);
    long passed = 0;
    long bytes = 0;
    long read = 0;
    boolean isAllKnown = true;
    for (Warming region : regions) {
      region.fates.forEach((fate, blocks) -> fates.merge(fate, blocks, Long::sum));
      passed += region.passedBytes();
      bytes += region.bytes();
      read += region.readBytes;
      isAllKnown &= region.plan != null;
    }
    double seconds = (System.nanoTime() - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%s: %s of %s: %s of %s in %.0f s",
            state,
            isOfAll ? "all" : "what was hot",
            name,
            ByteSize.readable(passed),
            ByteSize.readable(bytes),
            seconds));
    if (end == null && state.equals("running")) {
      line.append(
          isAllKnown && passed > 0
              ? String.format(
                  Locale.ROOT, ", about %.0f s left", seconds * (bytes - passed) / passed)
              : ", the time left is not known yet");
    }
    line.append(
        String.format(
            Locale.ROOT,
            "; %d of %d regions; %s read at %s/s",
            regions.size() - openRegions,
            regions.size(),
            ByteSize.readable(read),
            ByteSize.readable((long) (read / Math.max(seconds, 0.001)))));
    line.append("; blocks:");
    fates.forEach(
        (fate, blocks) -> line.append(' ').append(fate.word()).append('=').append(blocks));
    if (unreadBytes > 0) {
      line.append("; ").append(ByteSize.readable(unreadBytes)).append(" of files found no room");
    }
    return line.toString();
  }
}
