// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import com.sun.jna.Native;
import dev.terrace.region.device.LibC;
import dev.terrace.region.format.DeviceGeometry;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import jdk.nio.mapmode.ExtendedMapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mapped regions file, in segments of whole regions, because a single buffer is limited to 2 GB.
 * All segments but the last have the same size.
 *
 * @param segments the memory, in the order of the file; unmapped when its last buffer is collected
 * @param isDax whether stores are durable once they have left the processor's caches; else the
 *     kernel must write pages back
 */
record Mapping(List<MappedByteBuffer> segments, boolean isDax) {

  /** The size of a segment: the largest power of two below 2 GB. */
  static final int SEGMENT_BYTES = 1 << 30;

  private static final Logger LOG = LoggerFactory.getLogger(Mapping.class);

  /**
   * Maps a file whose space is all reserved.
   *
   * @param before the file's previous segments; those that are long enough stay
   */
  static Mapping of(Path file, DeviceGeometry geometry, List<MappedByteBuffer> before)
      throws IOException {
    // An interrupted thread cannot map.
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
      long sizeBytes = geometry.sizeBytes();
      if (channel.size() < sizeBytes) {
        // Mapping would extend the file by pages without space.
        throw new IOException(
            "file has bytes=" + channel.size() + " instead of bytes=" + sizeBytes);
      }
      boolean dax = canSync(channel, Math.min(SEGMENT_BYTES, sizeBytes));
      FileChannel.MapMode mode =
          dax ? ExtendedMapMode.READ_WRITE_SYNC : FileChannel.MapMode.READ_WRITE;
      List<MappedByteBuffer> segments = new ArrayList<>();
      for (long from = 0; from < sizeBytes; from += SEGMENT_BYTES) {
        long length = Math.min(SEGMENT_BYTES, sizeBytes - from);
        int at = segments.size();
        boolean isMapped = at < before.size() && before.get(at).capacity() >= length;
        segments.add(isMapped ? before.get(at) : channel.map(mode, from, length));
      }
      return new Mapping(List.copyOf(segments), dax);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether a new file in a directory, or an old one, can be mapped with DAX. Writes nothing. */
  static boolean canSync(Path file) throws IOException {
    Set<OpenOption> options =
        new HashSet<>(
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    boolean isNew = Files.isDirectory(file);
    if (isNew) {
      // Unlinked as soon as it is open.
      options.addAll(Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.DELETE_ON_CLOSE));
    }
    Path opened = isNew ? file.resolve("terrace-" + UUID.randomUUID()) : file;
    try (FileChannel channel = FileChannel.open(opened, options)) {
      return (isNew || channel.size() > 0) && canSync(channel, 1);
    }
  }

  /** Tries a synchronous mapping, which only a DAX file system on some processors accepts. */
  private static boolean canSync(FileChannel channel, long lengthBytes) throws IOException {
    try {
      channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, lengthBytes);
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      LOG.debug("MAP_SYNC is not supported here", e);
      return false;
    } catch (NoClassDefFoundError e) {
      LOG.warn("PMem is used without DAX: this Java runtime lacks module jdk.nio.mapmode");
      return false;
    }
  }

  /**
   * Lets go of the file: from now on the memory reads as zeros. It is unmapped when the last buffer
   * of the segment is collected.
   */
  static void unmap(LibC c, MappedByteBuffer segment) {
    try {
      c.mapZeros(Native.getDirectBufferPointer(segment), segment.capacity());
    } finally {
      // If the segment were collected meanwhile, another mapping could take its place.
      Reference.reachabilityFence(segment);
    }
  }
}
