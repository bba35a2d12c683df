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
package dev.terrace.hbase.why;

import dev.terrace.hbase.files.OpenStoreFile;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of a subject as they are now.
 *
 * @param tiers what each tier holds of it, the highest first; a block may be in several
 * @param cached the same, with each block counted once
 * @param wholeBlocks how many blocks its open files have; 0 if that is not known of all of them
 * @param open its files that the region server has open
 * @param counts what became of its blocks
 * @param sinceMillis when {@code counts} begin
 * @param nowMillis when it was asked
 */
record Findings(
    Subject subject,
    Map<String, Amount> tiers,
    Cached cached,
    long wholeBlocks,
    List<OpenStoreFile> open,
    EventCounts counts,
    long sinceMillis,
    long nowMillis) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  /** A number of blocks, and their bytes. */
  record Amount(long blocks, long bytes) {

    static final Amount NONE = new Amount(0, 0);

    Amount plus(Amount more) {
      return new Amount(blocks + more.blocks, bytes + more.bytes);
    }
  }

  /**
   * The cached blocks of a subject.
   *
   * @param listed of its files that are open, or of all if none is
   * @param mob of files of MOB cells, which HBase opens as it reads them, and lists nowhere
   * @param leftover of files that are not open any more
   */
  record Cached(Amount listed, Amount mob, Amount leftover) {

    /** Without what is left over. */
    Amount inUse() {
      return listed.plus(mob);
    }
  }

  /** Whether it has files whose size is not known, because no store lists them. */
  boolean hasMob() {
    return subject.file() == null
        && (cached.mob.blocks > 0 || open.stream().anyMatch(file -> file.traits().hasMob()));
  }

  /** Uncompressed bytes of its open files. */
  long wholeBytes() {
    return open.stream().mapToLong(file -> file.traits().uncompressedBytes()).sum();
  }

  /** The time at which all counts begin. */
  String since() {
    return time(sinceMillis);
  }

  /** The time at which the recent counts begin. */
  String recentSince() {
    return time(Math.max(RecentCount.recentSince(nowMillis), sinceMillis));
  }

  private String time(long millis) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault());
    boolean isToday =
        time.toLocalDate()
            .equals(Instant.ofEpochMilli(nowMillis).atZone(time.getZone()).toLocalDate());
    return (isToday ? TIME : DATE_AND_TIME).format(time);
  }

  boolean isUnknown() {
    return open.isEmpty()
        && cached.inUse().blocks == 0
        && cached.leftover.blocks == 0
        && counts.all().isEmpty();
  }

  /** The tiers' names, the highest first. */
  List<String> tierNames() {
    return List.copyOf(tiers.keySet());
  }
}
