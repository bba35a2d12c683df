// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.Poison;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A device whose regions are mapped memory. An open region is written in place, so a crash leaves
 * its records on the device. Any access to its memory may fail, see {@link #settleFaults}.
 */
public final class MappedRegionDevice extends RegionDevice {

  /**
   * The regions' memory by slot, for absolute access only. It stays readable. Not volatile: regions
   * are published after their memory.
   */
  private List<ByteBuffer> memories = List.of();

  private final boolean poison;

  public MappedRegionDevice(
      Device device, DeviceHealth health, DirectMemory memory, Executor readers, boolean poison) {
    super(device, health, new DeviceBuffers(device, 0, memory), readers);
    this.poison = poison;
    findMemories();
  }

  /**
   * Fetches the memory of all regions, again after each resize: old buffers would keep a mapping
   * that the device has replaced.
   */
  private void findMemories() {
    List<ByteBuffer> all = new ArrayList<>();
    for (int slot = 0; slot < device.regions(); slot++) {
      all.add(RecordLayout.littleEndian(device.memory(slot)));
    }
    memories = List.copyOf(all);
  }

  @Override
  public void resize(int regions) throws IOException {
    super.resize(regions);
    findMemories();
  }

  @Override
  public boolean writesInPlace() {
    return true;
  }

  @Override
  public ByteBuffer memory(int slot) {
    return memories.get(slot);
  }

  @Override
  public void settle() {
    settleFaults();
  }

  @Override
  public int crc(ByteBuffer region, int position, int lengthBytes) {
    return RecordLayout.mappedCrc(region, position, lengthBytes);
  }

  @Override
  public WriteBuffer open(int slot) {
    return new WriteBuffer(memory(slot), bytes -> {});
  }

  @Override
  public void prepare(int slot, RegionLayout.Header header) throws IOException {
    checkOwned();
    ByteBuffer memory = memory(slot);
    int footer = RegionLayout.footerPosition(device.regionBytes());
    ByteBuffer oldFooter = memory.slice(footer, RegionLayout.FOOTER_BYTES);
    store(() -> RegionLayout.eraseFooter(oldFooter));
    force(slot, footer, RegionLayout.FOOTER_BYTES);
    store(() -> header.write(memory));
    force(slot, 0, RegionLayout.HEADER_BYTES);
    if (poison) {
      ByteBuffer records =
          memory.slice(RegionLayout.HEADER_BYTES, footer - RegionLayout.HEADER_BYTES);
      store(() -> Poison.fill(records));
    }
    recordSpace();
  }

  /** Stores to the memory. A fault there may surface only later, in force. */
  private void store(Change stores) throws IOException {
    change(stores, () -> {});
  }

  /** A full device recovers once every region is backed by disk space. */
  private void recordSpace() {
    if (health.isFull() && !device.lacksSpace()) {
      health.wroteRegion();
    }
  }

  @Override
  public void persist(int slot, int endBytes) throws IOException {
    force(slot, 0, endBytes);
  }

  @Override
  public void seal(
      int slot, RegionLayout.Header header, RegionLayout.Seal seal, ByteBuffer bytes, int from)
      throws IOException {
    int regionBytes = device.regionBytes();
    int footer = RegionLayout.footerPosition(regionBytes);
    force(slot, 0, footer);
    ByteBuffer target = RecordLayout.littleEndian(bytes.slice(footer, regionBytes - footer));
    store(() -> seal.footer().write(target));
    force(slot, footer, RegionLayout.FOOTER_BYTES);
    recordSpace();
  }
}
