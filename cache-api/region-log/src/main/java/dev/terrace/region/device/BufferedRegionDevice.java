// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/**
 * A device whose regions lie in a file. A region is filled in a buffer: its complete records are
 * written from time to time, and the rest when it is full. A crash leaves what was written.
 */
public final class BufferedRegionDevice extends RegionDevice {

  /** Write buffers: one for the open region, the others for regions that are being written. */
  private static final int WRITE_BUFFERS = 3;

  /** Gap between records and table above which two writes are better than one. */
  private static final int WORTHWHILE_GAP_BYTES = 256 << 10;

  private final WritePacer pacer;

  /** A device. Without a write limit, {@code pacer} is null. */
  public BufferedRegionDevice(
      Device device, DeviceHealth health, WritePacer pacer, DirectMemory memory, Executor readers) {
    super(device, health, new DeviceBuffers(device, WRITE_BUFFERS, memory), readers);
    this.pacer = pacer;
  }

  /** Writes the source's remaining bytes; under a write limit in pieces, each at its turn. */
  private void write(int slot, int position, ByteBuffer source) throws IOException {
    if (pacer == null) {
      writePiece(slot, position, source);
      return;
    }
    int end = source.limit();
    int at = position;
    while (source.position() < end) {
      int length = Math.min(pacer.pieceBytes(), end - source.position());
      awaitTurn(length);
      writePiece(slot, at, source.limit(source.position() + length));
      at += length;
    }
  }

  /** Puts never wait for this: those beyond the write limit are refused at once. */
  private void awaitTurn(int bytes) {
    long turn = pacer.turn(bytes);
    if (pacer.isDue(turn)) {
      return;
    }
    spaceSignal().throttled(true);
    try {
      pacer.await(turn);
    } finally {
      spaceSignal().throttled(false);
    }
  }

  private void writePiece(int slot, int position, ByteBuffer source) throws IOException {
    change(() -> device.write(slot, position, source), health::writeSucceeded);
  }

  @Override
  public boolean hasBuffer() {
    return buffers.hasFree();
  }

  @Override
  public WriteBuffer open(int slot) {
    ByteBuffer taken = buffers.take();
    return taken == null ? null : new WriteBuffer(taken, this::giveBack);
  }

  private void giveBack(ByteBuffer bytes) {
    buffers.giveBack(bytes);
    spaceSignal().signal();
  }

  @Override
  public void prepare(int slot, RegionLayout.Header header) throws IOException {
    int regionBytes = device.regionBytes();
    int lastEdge = regionBytes - edgeBytes;
    boolean wholly = health.isInDoubt();
    // Erases the footer first and alone: a process killed in between leaves an open region.
    write(slot, lastEdge, withoutFooter(slot, lastEdge));
    writeZeros(slot, 0, wholly ? lastEdge : edgeBytes);
    if (wholly) {
      health.wroteRegion();
    }
    force(slot, 0, regionBytes);
  }

  /** The last page of a region without its footer; the end of a record may share that page. */
  private ByteBuffer withoutFooter(int slot, int position) {
    ByteBuffer page = buffers.scratch().limit(edgeBytes);
    try {
      read(slot, position, page);
    } catch (IOException e) {
      // A disk may heal an unreadable page when it is written.
      page.clear().limit(edgeBytes).put(new byte[edgeBytes]);
    }
    int footer = edgeBytes - RegionLayout.FOOTER_BYTES;
    page.put(footer, new byte[RegionLayout.FOOTER_BYTES]);
    return page.flip();
  }

  private void writeZeros(int slot, int from, int to) throws IOException {
    ByteBuffer zeros = buffers.scratch();
    zeros.put(new byte[zeros.capacity()]);
    for (int at = from; at < to; at += zeros.limit()) {
      write(slot, at, zeros.clear().limit(Math.min(zeros.capacity(), to - at)));
    }
  }

  @Override
  public void append(int slot, RegionLayout.Header header, ByteBuffer bytes, int from, int end)
      throws IOException {
    if (from == 0) {
      header.write(bytes);
    }
    int start = from & -edgeBytes;
    int lastPage = end & -edgeBytes;
    if (start < lastPage) {
      write(slot, start, bytes.slice(start, lastPage - start));
    }
    if (lastPage < end) {
      write(slot, lastPage, page(bytes, lastPage, end));
    }
    force(slot, start, RecordLayout.align(end, edgeBytes) - start);
  }

  /** A copy of a page, zero from {@code end} on: records there may be half written. */
  private ByteBuffer page(ByteBuffer bytes, int from, int end) {
    ByteBuffer page = buffers.scratch().limit(edgeBytes);
    page.put(0, bytes, from, end - from);
    page.put(end - from, new byte[edgeBytes - (end - from)]);
    return page;
  }

  /** Erases the footer that an earlier region left in the buffer. */
  private ByteBuffer eraseFooter(ByteBuffer bytes) {
    int footer = RegionLayout.footerPosition(device.regionBytes());
    ByteBuffer target = RecordLayout.littleEndian(bytes.slice(footer, RegionLayout.FOOTER_BYTES));
    RegionLayout.eraseFooter(target);
    return target;
  }

  @Override
  public void seal(
      int slot, RegionLayout.Header header, RegionLayout.Seal seal, ByteBuffer bytes, int from)
      throws IOException {
    int regionBytes = device.regionBytes();
    boolean isFull = health.isFull();
    header.write(bytes);
    ByteBuffer footer = eraseFooter(bytes);
    int edge = regionBytes - edgeBytes;
    int start = isFull ? 0 : from & -edgeBytes;
    int recordsEnd = Math.min(edge, RecordLayout.align(seal.recordsEnd(), edgeBytes));
    int tableStart = Math.min(edge, seal.tableStart() & -edgeBytes);
    // The edge is written twice. A power cut that tears the second write damages only the footer.
    if (isFull || tableStart - recordsEnd <= WORTHWHILE_GAP_BYTES) {
      write(slot, start, bytes.slice(start, regionBytes - start));
    } else {
      write(slot, start, bytes.slice(start, Math.max(0, recordsEnd - start)));
      write(slot, tableStart, bytes.slice(tableStart, regionBytes - tableStart));
    }
    force(slot, 0, regionBytes);
    seal.footer().write(footer);
    write(slot, edge, bytes.slice(edge, edgeBytes));
    force(slot, edge, edgeBytes);
    if (isFull) {
      health.wroteRegion();
    }
  }
}
