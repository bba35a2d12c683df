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
package dev.terrace.hbase.settings;

/** Whether the SSD tier bypasses the operating system's page cache. */
public enum DirectIoChoice {
  /** Only if the page cache is smaller than the DRAM tier, which then has what it would have. */
  AUTO,
  /** Always. */
  TRUE,
  /** Never. */
  FALSE;

  /**
   * Whether to bypass it.
   *
   * @param dramBytes the size of the DRAM tier
   * @param pageCacheBytes the memory that the page cache may take
   */
  public boolean isDirect(long dramBytes, long pageCacheBytes) {
    return this == TRUE || (this == AUTO && pageCacheBytes < dramBytes);
  }
}
