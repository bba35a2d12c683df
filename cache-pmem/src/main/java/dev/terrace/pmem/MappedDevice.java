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
package dev.terrace.pmem;

import dev.terrace.region.device.InterruptProofFile;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.CacheSpec;
import dev.terrace.region.folder.FolderDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device of mapped memory: a mapped file, which is persistent memory on DAX. */
public final class MappedDevice extends FolderDevice {

  private static final Logger LOG = LoggerFactory.getLogger(MappedDevice.class);

  private final int segmentShift;
  private final int regionShift;
  private final boolean dax;
  private final Optional<LibC> libC;

  /** The same bytes, for reads that fail where an access of the memory would kill the process. */
  private final InterruptProofFile file;

  /** Null once closed, so that unused memory can be unmapped. */
  private volatile MappedByteBuffer[] segments;

  private MappedDevice(
      CacheFolder folder, Mapping mapping, InterruptProofFile file, Optional<LibC> libC) {
    super(folder);
    this.libC = libC;
    this.file = file;
    this.regionShift = Integer.numberOfTrailingZeros(regionBytes());
    this.segmentShift = Integer.numberOfTrailingZeros(Mapping.SEGMENT_BYTES) - regionShift;
    this.dax = mapping.isDax();
    this.segments = mapping.segments().toArray(MappedByteBuffer[]::new);
  }

  /**
   * Opens a path, reserves its space and maps it.
   *
   * @param clock for the times in the superblock
   */
  static MappedDevice open(CacheSpec spec, ReservedSpace space, Clock clock) throws IOException {
    CacheFolder folder = CacheFolder.open(spec, space, clock);
    MappedDevice device = null;
    try {
      Mapping mapping = Mapping.of(folder.regionsFile(), folder.geometry());
      Optional<LibC> c = space.libC();
      boolean huge = c.isPresent() && mapping.adviseHugePages(c.get());
      InterruptProofFile file =
          InterruptProofFile.open(folder.regionsFile(), Set.of(StandardOpenOption.READ));
      device = new MappedDevice(folder, mapping, file, c);
      LOG.info("{}{}", device.description(), huge ? ", huge pages asked for" : "");
      return device;
    } finally {
      if (device == null) {
        folder.close();
      }
    }
  }

  /** Whether stores become durable without the kernel. */
  public boolean isDax() {
    return dax;
  }

  /** One line for logs: kind, path, size, and kind of mapping. */
  public String description() {
    return description(
        "pmem",
        dax
            ? "DAX, mapped with MAP_SYNC, made durable by cache-line write-back"
            : "not DAX, plain shared mapping, made durable by msync");
  }

  @Override
  public int alignmentBytes() {
    return 1;
  }

  @Override
  public boolean isMapped() {
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The buffer keeps its memory mapped after {@link #close}, but another process that opens the
   * path may write to it.
   *
   * @throws IllegalStateException if the device is closed
   */
  @Override
  public ByteBuffer memory(int region) {
    MappedByteBuffer[] open = segments;
    if (open == null) {
      throw new IllegalStateException("path=" + path() + " is closed");
    }
    if (region < 0 || region >= regions()) {
      throw new IndexOutOfBoundsException(
          "region=" + region + " is not one of regions=" + regions());
    }
    return open[region >>> segmentShift].slice(positionInSegment(region), regionBytes());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads the file, which sees all stores to the memory. Throws where the file was cut off or
   * the memory is broken.
   */
  @Override
  public void read(int region, int position, ByteBuffer target) throws IOException {
    long offset = geometry().offset(region, position, target.remaining());
    try {
      file.read(offset, target);
    } catch (IOException e) {
      throw new IOException(
          "read failed: path=" + path() + " region=" + region + " position=" + position + ": " + e,
          e);
    }
  }

  @Override
  public void write(int region, int position, ByteBuffer source) throws IOException {
    int length = source.remaining();
    MappedByteBuffer segment = segment(region, position, length);
    segment.slice(positionInSegment(region) + position, length).put(source);
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    MappedByteBuffer segment = segment(region, position, lengthBytes);
    try {
      segment.force(positionInSegment(region) + position, lengthBytes);
    } catch (UncheckedIOException e) {
      throw new IOException(
          "path="
              + path()
              + " region="
              + region
              + " position="
              + position
              + " lengthBytes="
              + lengthBytes
              + " cannot be made durable: "
              + e.getCause().getMessage(),
          e);
    }
  }

  /** Maps what the file has grown by. What it lost stays mapped, and nobody uses it. */
  @Override
  protected synchronized void resized(CacheFolder folder) throws IOException {
    MappedByteBuffer[] open = segments;
    if (open == null) {
      throw new ClosedChannelException();
    }
    Mapping mapping = Mapping.of(folder.regionsFile(), folder.geometry(), List.of(open));
    if (libC.isPresent()) {
      mapping.adviseHugePages(libC.get());
    }
    segments = mapping.segments().toArray(MappedByteBuffer[]::new);
  }

  @Override
  public synchronized void close() {
    segments = null;
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("{} was not closed well", path(), e);
    } finally {
      closeFolder();
    }
  }

  private MappedByteBuffer segment(int region, int position, int lengthBytes) throws IOException {
    MappedByteBuffer[] open = segments;
    if (open == null) {
      throw new ClosedChannelException();
    }
    geometry().offset(region, position, lengthBytes);
    return open[region >>> segmentShift];
  }

  private int positionInSegment(int region) {
    return (region & (1 << segmentShift) - 1) << regionShift;
  }
}
