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

import dev.terrace.region.device.LastingEvictions;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.files.FileOrigins;
import java.io.IOException;

/** The log of one device, as its worker, recovery and reclaimer use it. */
interface RegionLog {

  /** The device. */
  RegionDevice io();

  /** All regions of the device, by their slots, with those that are retired. */
  Region[] regions();

  /**
   * Gives the device another number of regions. By the worker, and none of those that leave is in
   * use.
   *
   * @throws IOException if that fails, such as for want of space
   */
  void resize(int wanted) throws IOException;

  /** The evictions from the device that last over a restart. */
  LastingEvictions evictions();

  /** The origins of files. */
  FileOrigins origins();

  /** The region that takes records; null if none does. */
  OpenRegion open();

  /**
   * Reserves space for a record, without waiting. The worker must not be woken by its own failures.
   *
   * @return null if there is none now
   */
  Reservation reserve(String file, int nameBytes, int recordBytes);

  /** Adds a region without readable contents to the empty ones. */
  void foundEmpty(Region region);

  /** Ends the open region, so that the worker seals it. */
  void sealOpen();

  /** Notes that an open region was sealed, or lost. */
  void sealed();

  /** Whether no region is open or waits to be written. */
  boolean isSealed();
}
