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

/** What HBase asked the whole cache for, beside puts. */
enum Request {
  /** A read found the block in no tier, and would have it cached. */
  MISS,
  /**
   * A read found the block in no tier, and would not have it cached: a compaction, or a scan that
   * says so.
   */
  MISS_NOT_TO_CACHE,
  /** HBase asked whether to cache data of this age, and its data tiering answered no. */
  COLD,
  /** HBase evicted the whole file. */
  FILE_EVICTED
}
