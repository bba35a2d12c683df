// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * One life of a region, from its opening until it is written anew. All its structures carry checks
 * that only this cache can compute, and only for this life, this part of a region and this
 * position. So no bytes of an earlier life, of another region or cache, or within a block pass for
 * a structure.
 *
 * @param secret the cache's
 * @param number random; distinguishes the lives
 */
public record RegionLife(CacheSecret secret, long number) {

  /*
   * A check is a keyed hash of 64 bits and not a checksum of 32. A client may store the same value
   * millions of times, so a guess of 32 bits would be right now and then. And CRCs are linear, so
   * one that was seen would reveal others.
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
  public static RegionLife begin(CacheSecret secret) {
    return new RegionLife(secret, RANDOM.nextLong());
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
}
