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

  /** The count of a decoded object's holders. */
  @FunctionalInterface
  interface Holders {

    /**
     * Whether more references are held than some number. References that other threads take or give
     * back meanwhile may be counted or not. Any thread may ask, without a reference.
     */
    boolean areMoreThan(int references);
  }

  /** Gives the memory back. Called exactly once, from any thread; never blocks on I/O. */
  void free();

  /**
   * Makes the count known to the tier, which may ask it for as long as it knows the block. A
   * decoder that counts holders calls this before it returns the decoded object.
   */
  default void heldBy(Holders holders) {}

  /**
   * Asks the tier to run something once, before it gives back its own reference to the decoded
   * object. As long as it was not run, the tier holds on, so that nobody else's reference can be
   * the last, and a count of references need not notice when it gets to zero.
   *
   * <p>Any thread may ask, once for a memory, and holds a reference while it asks. The action may
   * run at any time from then on, on any thread, under locks of the tier's: it must be quick, must
   * not call the tier, and must bear being run although the answer was false.
   *
   * @return false if the tier has no reference of its own, or may be giving it back already
   */
  default boolean beforeLettingGo(Runnable action) {
    return false;
  }
}
