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

import dev.terrace.api.BlockMemory;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory of a tier which holds its own reference until it is told to let go. Thread-safe. */
public final class HeldMemory implements BlockMemory {

  public final AtomicInteger freed = new AtomicInteger();
  private volatile Runnable lettingGo;
  private volatile boolean held = true;

  /** Prepares for giving the tier's reference back, which is the caller's to do then. */
  public void letGo() {
    held = false;
    Runnable action = lettingGo;
    if (action != null) {
      action.run();
    }
  }

  @Override
  public boolean beforeLettingGo(Runnable action) {
    lettingGo = action;
    return held;
  }

  @Override
  public void free() {
    freed.incrementAndGet();
  }
}
