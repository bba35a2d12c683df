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

import dev.terrace.region.memory.JvmMemory;

/** The direct memory that this JVM may use. */
public final class DirectMemory {

  /** The way to raise the limit, for error messages. */
  public static final String HOW_TO_RAISE =
      "-XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE in hbase-env.sh)";

  private DirectMemory() {}

  /** The limit in bytes; {@link Long#MAX_VALUE} if it is unknown. */
  public static long limitBytes() {
    return JvmMemory.limitBytes();
  }
}
