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

import dev.terrace.hbase.files.TableQuotas;
import dev.terrace.hbase.warm.list.HeatList;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/** Warms what a server has open of a table, when an operator asks for it. Thread-safe. */
public final class WarmOnCommand {

  private final HeatWriter writer;
  private final RegionWarmer warmer;
  private final Supplier<Stream<HRegion>> regions;
  private final TableQuotas quotas;

  WarmOnCommand(
      HeatWriter writer,
      RegionWarmer warmer,
      Supplier<Stream<HRegion>> regions,
      TableQuotas quotas) {
    this.writer = writer;
    this.warmer = warmer;
    this.regions = regions;
    this.quotas = quotas;
  }

  /**
   * Starts to warm the regions of a table that are open now, and returns how far that is.
   *
   * @param name a table, with its namespace unless that is the default, and maybe {@code /family}
   * @param isOfAll whether what is not known to be hot comes after what is, as long as there is
   *     room
   * @throws IllegalArgumentException if nothing of that name is open here
   * @throws IllegalStateException if nothing is warmed here, or another command is running
   */
  public String start(String name, boolean isOfAll) {
    return start(name, isOfAll, null);
  }

  /**
   * As {@link #start(String, boolean)}, by the list of another server in place of their own.
   *
   * @param list as {@link #list} returns it
   * @throws IllegalArgumentException also if it is no such list
   */
  public String start(String name, byte[] list) {
    try {
      return start(name, false, HeatList.decoded(list));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a list of heat: " + e.getMessage(), e);
    }
  }

  /** The list of what is cached here of a table, also of regions that are open elsewhere. */
  public byte[] list(String table) {
    return writer.list(TableName.valueOf(table).getNameWithNamespaceInclAsString()).encoded();
  }

  private String start(String name, boolean isOfAll, HeatList list) {
    int slash = name.indexOf('/');
    TableName table = TableName.valueOf(slash < 0 ? name : name.substring(0, slash));
    String family = slash < 0 ? null : name.substring(slash + 1);
    List<HRegion> open =
        regions
            .get()
            .filter(region -> region.getRegionInfo().getTable().equals(table))
            .filter(region -> family == null || region.getStore(Bytes.toBytes(family)) != null)
            .toList();
    if (open.isEmpty()) {
      throw new IllegalArgumentException("no region of " + name + " is open here");
    }
    warmer.warm(new WarmCommand(name, family, isOfAll, list, quotas::hasRoom), open);
    return status();
  }

  /** Ends what runs, and returns how far it came. Regions that have just opened are warmed on. */
  public String stop() {
    warmer.stop();
    return status();
  }

  /**
   * A line on what was started last: {@code running}, {@code done} or {@code stopped}, a colon, and
   * the figures; {@code none} if nothing was.
   */
  public String status() {
    return warmer.command();
  }
}
