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
package dev.terrace.region.files;

/** Knows blocks that a reclaim need not save, as they leave soon by themselves. Thread-safe. */
@FunctionalInterface
public interface LeavingBlocks {

  /** No block is known to leave. */
  LeavingBlocks NONE = (file, offset) -> false;

  /**
   * Whether the block's file will soon be deleted, and another one has what is worth caching of the
   * block. Quick; never throws.
   */
  boolean isLeaving(String file, long offset);
}
