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
package dev.terrace.hbase.blocks;

import dev.terrace.api.Access;

/** How a lookup of HBase is counted. */
public final class Accesses {

  private static final Access[] BY_FLAGS = new Access[8];

  static {
    for (int flags = 0; flags < BY_FLAGS.length; flags++) {
      BY_FLAGS[flags] = Access.UNCOUNTED;
    }
    BY_FLAGS[index(true, true, true)] = Access.CACHING;
    BY_FLAGS[index(true, false, true)] = Access.CACHING_REPLICA;
    BY_FLAGS[index(false, true, true)] = Access.PASSING;
    BY_FLAGS[index(false, false, true)] = Access.PASSING_REPLICA;
  }

  private Accesses() {}

  private static int index(boolean caching, boolean primary, boolean counted) {
    return (caching ? 1 : 0) | (primary ? 2 : 0) | (counted ? 4 : 0);
  }

  public static Access of(boolean caching, boolean primary, boolean counted) {
    return BY_FLAGS[index(caching, primary, counted)];
  }
}
