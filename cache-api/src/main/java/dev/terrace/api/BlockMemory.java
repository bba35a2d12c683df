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
 * The memory under one decoded block, as its decoder sees it: something to give back once.
 *
 * <p>Whoever decodes a block receives this together with the bytes and arranges that {@link #free}
 * runs exactly once, after the last holder of the decoded object has released it.
 */
@FunctionalInterface
public interface BlockMemory {

  /** Gives the memory back. Called exactly once, from any thread; never blocks on I/O. */
  void free();

  /**
   * Whether the tier holds a reference of its own to the decoded object, so that nobody else's can
   * be the last. A tier that ever says so says so no more before it gives that reference back, and
   * from then on never again. Quick; any thread may ask.
   *
   * <p>A count of references may use this to be kept in several places at once: as long as it is
   * true, nobody needs to know whether the count gets to zero.
   */
  default boolean isHeld() {
    return false;
  }
}
