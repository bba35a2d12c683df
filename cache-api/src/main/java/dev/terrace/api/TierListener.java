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
package dev.terrace.api;

/**
 * Receives what becomes of the blocks of files in a tier, but for hits and misses. Called on the
 * thread that puts or evicts: must be quick and must not throw.
 */
public interface TierListener {

  /** Ignores everything. */
  TierListener NONE =
      new TierListener() {
        @Override
        public void put(String file, PutOutcome outcome) {}

        @Override
        public void evicted(String file, EvictionCause cause, int blocks) {}
      };

  /** A put of a block has ended. */
  void put(String file, PutOutcome outcome);

  /** Blocks of a file have left; {@code blocks} is at least 1. */
  void evicted(String file, EvictionCause cause, int blocks);
}
