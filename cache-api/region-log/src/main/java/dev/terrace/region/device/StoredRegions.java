// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.RegionTable.DamagedRegionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads what the regions of a device hold: for a restart, a reclaim or an inspection. For one
 * thread.
 */
public final class StoredRegions {

  /** Reads bytes of a region into a little-endian buffer that begins at {@code position}. */
  @FunctionalInterface
  public interface Source {
    ByteBuffer bytes(int slot, int position, int lengthBytes) throws IOException;
  }

  /**
   * Header and footer of a region.
   *
   * @param header null if there is no intact header of this region
   * @param headerDamaged whether there is a damaged one
   * @param footer null if there is no intact footer of this region
   */
  public record Ends(
      int slot,
      RegionLayout.Header header,
      boolean headerDamaged,
      RegionLayout.Footer footer,
      boolean footerDamaged) {

    /** Whether the region has a table that can be read. */
    public boolean isSealed() {
      return header != null && footer != null && header.life().equals(footer.life());
    }

    /** The life of the records; null if none is known. */
    public RegionEpoch life() {
      return header != null ? header.life() : footer != null ? footer.life() : null;
    }

    /** The region without its records, which are in its table or found by a walk. */
    public Found found() {
      return new Found(
          slot,
          life(),
          header != null ? header.firstSequence() : footer.firstSequence(),
          footer != null ? footer.lastSequence() : header.firstSequence(),
          footer != null ? footer.sealedMillis() : header.openedMillis(),
          isSealed() ? footer : null,
          List.of());
    }
  }

  /**
   * A region with contents.
   *
   * @param writtenMillis when it was sealed, or else opened, in milliseconds since 1970
   * @param footer the footer if the region has a table to be read, else null
   * @param records the records that were read
   */
  public record Found(
      int slot,
      RegionEpoch life,
      long firstSequence,
      long lastSequence,
      long writtenMillis,
      RegionLayout.Footer footer,
      List<RegionTable.Entry> records) {

    /** The same with the records of its table. */
    public Found with(List<RegionTable.Entry> ofTable) {
      return new Found(slot, life, firstSequence, lastSequence, writtenMillis, footer, ofTable);
    }

    /** The same with the records of a walk, without a table. */
    public Found walked(RecordWalk walk) {
      return new Found(
          slot, life, firstSequence, walk.lastSequence(), writtenMillis, null, walk.records());
    }
  }

  private final Device device;
  private final Source source;

  /** The regions of a device. */
  public StoredRegions(Device device, Source source) {
    this.device = device;
    this.source = source;
  }

  /** Where a footer begins, and the room for records and table ends. */
  private int footerPosition() {
    return RegionLayout.footerPosition(device.regionBytes());
  }

  /** Reads header and footer. */
  public Ends ends(int slot) throws IOException {
    ByteBuffer atEnd = source.bytes(slot, footerPosition(), RegionLayout.FOOTER_BYTES);
    RegionLayout.Footer footer = footer(slot, atEnd);
    boolean footerDamaged = footer == null && !RegionLayout.isAbsent(atEnd);
    ByteBuffer atStart = source.bytes(slot, 0, RegionLayout.HEADER_BYTES);
    RegionLayout.Header header = RegionLayout.Header.read(atStart, device.secret(), slot);
    header = header != null && header.fits(device.generation()) ? header : null;
    boolean headerDamaged = header == null && !RegionLayout.isAbsent(atStart);
    return new Ends(slot, header, headerDamaged, footer, footerDamaged);
  }

  /** The region's footer; null if there is no intact one. */
  public RegionLayout.Footer footer(int slot) throws IOException {
    return footer(slot, source.bytes(slot, footerPosition(), RegionLayout.FOOTER_BYTES));
  }

  private RegionLayout.Footer footer(int slot, ByteBuffer bytes) {
    RegionLayout.Footer footer = RegionLayout.Footer.read(bytes, device.secret(), slot);
    return footer != null && footer.fits(device.regionBytes(), device.generation()) ? footer : null;
  }

  /**
   * The table of a sealed region.
   *
   * @throws IOException if it cannot be read; a {@link DamagedRegionException} if it is damaged
   */
  public RegionTable table(int slot, RegionLayout.Footer footer) throws IOException {
    ByteBuffer table = source.bytes(slot, tableStart(footer), footer.tableBytes());
    return RegionTable.read(table, footer, device.regionBytes());
  }

  /** Where the table of a region begins. */
  public int tableStart(RegionLayout.Footer footer) {
    return footerPosition() - footer.tableBytes();
  }

  /** The bytes of a region up to its footer. */
  public ByteBuffer records(int slot) throws IOException {
    return source.bytes(slot, 0, footerPosition());
  }

  /** The records of a region without its table. */
  public RecordWalk walk(ByteBuffer records, Found found) {
    return RecordWalk.of(records, found.life(), found.firstSequence(), device.regionBytes());
  }
}
