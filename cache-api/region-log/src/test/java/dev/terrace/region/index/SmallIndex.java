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
package dev.terrace.region.index;

import java.nio.ByteBuffer;

/** Makes indexes that take one page of memory at a time, for tests that make many of them. */
public final class SmallIndex {

  private SmallIndex() {}

  /** An index without blocks. */
  public static RegionIndex empty() {
    return new RegionIndex(new IndexPages(1, ByteBuffer::allocateDirect));
  }
}
