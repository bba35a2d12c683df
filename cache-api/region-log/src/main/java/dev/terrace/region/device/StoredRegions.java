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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** Damage of a region's header, footer or table. */
  public record Flaw(int position, String reason) {}

  /**
   * What a region holds.
   *
   * @param life the life of the records; null if there is neither an intact header nor footer
   * @param writtenMillis when it was sealed, or else opened, in milliseconds since 1970
   * @param footer the footer if {@code table} is the region's, else null
   * @param table the region's, or one of the records that a walk found
   * @param walk null if the region's table is intact, or if no life is known
   */
  public record Found(
      int slot,
      RegionEpoch life,
      long firstSequence,
      long lastSequence,
      long writtenMillis,
      RegionLayout.Footer footer,
      RegionTable table,
      RecordWalk walk,
      List<Flaw> flaws) {

    public List<RegionTable.Entry> records() {
      return table.entries();
    }
  }

  private final Device device;
  private final Source source;

  public StoredRegions(Device device, Source source) {
    this.device = device;
    this.source = source;
  }

  /** Where a footer begins, and the room for records and table ends. */
  private int footerPosition() {
    return RegionLayout.footerPosition(device.regionBytes());
  }

  /**
   * Reads the records of a region: those of its table, or those that a walk finds if there is no
   * intact table.
   *
   * @throws IOException if the region cannot be read
   */
  public Found read(int slot) throws IOException {
    ByteBuffer atEnd = source.bytes(slot, footerPosition(), RegionLayout.FOOTER_BYTES);
    RegionLayout.Footer footer = footer(slot, atEnd);
    ByteBuffer atStart = source.bytes(slot, 0, RegionLayout.HEADER_BYTES);
    RegionLayout.Header header = header(slot, atStart);
    List<Flaw> flaws = new ArrayList<>();
    if (footer == null && !RegionLayout.isAbsent(atEnd)) {
      flaws.add(new Flaw(footerPosition(), "corrupt footer"));
    }
    if (header == null && (footer != null || !RegionLayout.isAbsent(atStart))) {
      flaws.add(new Flaw(0, "corrupt header"));
    }
    if (header == null && footer == null) {
      return new Found(slot, null, 0, 0, 0, null, RegionTable.EMPTY, null, flaws);
    }
    if (header != null && footer != null && !header.life().equals(footer.life())) {
      flaws.add(new Flaw(0, "header and footer do not match"));
    } else if (header != null && footer != null) {
      try {
        return new Found(
            slot,
            footer.life(),
            header.firstSequence(),
            footer.lastSequence(),
            footer.sealedMillis(),
            footer,
            table(slot, footer),
            null,
            flaws);
      } catch (DamagedRegionException e) {
        flaws.add(new Flaw(footerPosition() - footer.tableBytes(), e.getMessage()));
      }
    }
    RegionEpoch life = header == null ? footer.life() : header.life();
    long first = header == null ? footer.firstSequence() : header.firstSequence();
    long writtenMillis = footer == null ? header.openedMillis() : footer.sealedMillis();
    RecordWalk walk = RecordWalk.of(records(slot), life, first, device.regionBytes());
    RegionTable table = new RegionTable(walk.records(), Map.of());
    return new Found(
        slot, life, first, walk.lastSequence(), writtenMillis, null, table, walk, flaws);
  }

  private RegionLayout.Header header(int slot, ByteBuffer bytes) {
    RegionLayout.Header header = RegionLayout.Header.read(bytes, device.secret(), slot);
    return header != null && header.fits(device.generation()) ? header : null;
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
    int start = footerPosition() - footer.tableBytes();
    ByteBuffer table = source.bytes(slot, start, footer.tableBytes());
    return RegionTable.read(table, footer, device.regionBytes());
  }

  /** The bytes of a region up to its footer. */
  public ByteBuffer records(int slot) throws IOException {
    return source.bytes(slot, 0, footerPosition());
  }
}
