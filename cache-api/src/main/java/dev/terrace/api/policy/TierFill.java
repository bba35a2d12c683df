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
package dev.terrace.api.policy;

/** How full a tier is: what decisions about moves look at. Thread-safe. */
public interface TierFill {

  /** A short name for logs and tables, such as {@code dram}. */
  String name();

  /** The size of the tier. */
  long capacityBytes();

  /** How many blocks are resident. */
  long blockCount();

  /** Whether a block of common size fits without an eviction. */
  boolean hasFreeRoom();
}
