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
 * A resident block, as listings show it.
 *
 * @param key the file's name and where the block starts there
 * @param sizeBytes the encoded size, with what the tier adds to encrypt it
 * @param traits what the cache's owner knows about the block
 * @param putNanos {@link System#nanoTime} when it was put; in a region tier, when the last block of
 *     its region was put
 */
public record BlockInfo(BlockKey key, int sizeBytes, BlockTraits traits, long putNanos) {

  /** What a block takes with HBase's defaults, for estimates. */
  public static final int USUAL_BYTES = 64 << 10;
}
