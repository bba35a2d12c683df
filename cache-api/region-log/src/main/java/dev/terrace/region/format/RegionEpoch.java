// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * One life of a region, from its opening until it is opened again. Each of its structures carries a
 * check that only this cache can compute, for this life, part and position alone. So no bytes of an
 * earlier life, of another region or cache, or within a block pass for a structure.
 *
 * @param secret the cache's
 * @param number random; distinguishes the lives
 */
public record RegionEpoch(CacheSecret secret, long number) {

  /*
   * A check is a keyed hash of 64 bits, not a checksum of 32. A client may store the same value
   * millions of times, so a guess of 32 bits would be right now and then. And CRCs are linear, so
   * knowing one would reveal others.
   */

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The part that a check covers. No part passes for another one. */
  public enum Part {
    HEADER,
    FOOTER,
    TABLE,
    ROOM,
    RECORD,
    EVICTIONS
  }

  /** A new life. */
  public static RegionEpoch begin(CacheSecret secret) {
    return new RegionEpoch(secret, RANDOM.nextLong());
  }

  /**
   * The check of a part.
   *
   * @param position where the part begins in its region
   * @param bytes little-endian; hashed from {@code from} to before {@code to}
   */
  public long check(Part part, int position, ByteBuffer bytes, int from, int to) {
    return hash(part, position).hash(bytes, from, to);
  }

  /** The check of room for a record. */
  long roomCheck(int position, int roomBytes, long sequence) {
    return hash(Part.ROOM, position).add(roomBytes).add(sequence).hash();
  }

  private SipHash hash(Part part, int position) {
    return new SipHash(secret).add(number).add((long) part.ordinal() << Integer.SIZE | position);
  }

  /**
   * SipHash-2-4, the keyed hash of Aumasson and Bernstein ("SipHash: a fast short-input PRF",
   * 2012). Without the key, no hash can be computed, or derived from other hashes. An instance
   * computes one hash, for one thread.
   */
  static final class SipHash {

    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private int lengthBytes;

    SipHash(CacheSecret key) {
      v0 = key.high() ^ 0x736f6d6570736575L;
      v1 = key.low() ^ 0x646f72616e646f6dL;
      v2 = key.high() ^ 0x6c7967656e657261L;
      v3 = key.low() ^ 0x7465646279746573L;
    }

    /** Adds eight bytes, the lowest first. */
    SipHash add(long word) {
      lengthBytes += Long.BYTES;
      compress(word);
      return this;
    }

    /**
     * Adds a part of a buffer as the last input.
     *
     * @param source little-endian
     * @return the hash
     */
    long hash(ByteBuffer source, int from, int to) {
      int at = from;
      for (; at <= to - Long.BYTES; at += Long.BYTES) {
        add(source.getLong(at));
      }
      long last = (long) (lengthBytes + to - at) << 56;
      for (int shift = 0; at < to; at++, shift += Byte.SIZE) {
        last |= (source.get(at) & 0xFFL) << shift;
      }
      return finish(last);
    }

    /** The hash of what was added. */
    long hash() {
      return finish((long) lengthBytes << 56);
    }

    private long finish(long last) {
      compress(last);
      v2 ^= 0xFF;
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void compress(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    private void round() {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
