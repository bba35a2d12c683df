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
    long place = (long) part.ordinal() << Integer.SIZE | position;
    return sipHash(secret, 2, number, place, bytes, from, to);
  }

  long roomCheck(int position, int roomBytes, long sequence) {
    ByteBuffer room = RecordLayout.littleEndian(ByteBuffer.allocate(2 * Long.BYTES));
    room.putLong(0, roomBytes).putLong(Long.BYTES, sequence);
    return check(Part.ROOM, position, room, 0, room.capacity());
  }

  /**
   * SipHash-2-4, the keyed hash of Aumasson and Bernstein ("SipHash: a fast short-input PRF",
   * 2012), of words and a part of a buffer. Without the key, no hash can be computed, or derived
   * from other hashes.
   *
   * <p>One method with its state in local variables: each hit in a file computes a hash, and an
   * object for the state would be garbage.
   *
   * @param words how many words to hash before the buffer: none, the first, or both
   * @param bytes little-endian; hashed from {@code from} to before {@code to}
   */
  static long sipHash(
      CacheSecret key, int words, long first, long second, ByteBuffer bytes, int from, int to) {
    long v0 = key.high() ^ 0x736f6d6570736575L;
    long v1 = key.low() ^ 0x646f72616e646f6dL;
    long v2 = key.high() ^ 0x6c7967656e657261L;
    long v3 = key.low() ^ 0x7465646279746573L;
    int end = words + (to - from) / Long.BYTES;
    for (int i = 0; i <= end + 2; i++) {
      long word = 0;
      if (i < words) {
        word = i == 0 ? first : second;
      } else if (i < end) {
        word = bytes.getLong(from + (i - words) * Long.BYTES);
      } else if (i == end) {
        word = lastWord(bytes, to, words * Long.BYTES + to - from);
      } else if (i == end + 1) {
        // Four rounds without input end the hash.
        v2 ^= 0xFF;
      }
      v3 ^= word;
      for (int round = 0; round < 2; round++) {
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
      v0 ^= word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** The bytes that fill no word, below the lowest byte of the length. */
  private static long lastWord(ByteBuffer bytes, int to, int lengthBytes) {
    long word = (long) lengthBytes << 56;
    int rest = lengthBytes % Long.BYTES;
    for (int i = 0; i < rest; i++) {
      word |= (bytes.get(to - rest + i) & 0xFFL) << (i * Byte.SIZE);
    }
    return word;
  }
}
