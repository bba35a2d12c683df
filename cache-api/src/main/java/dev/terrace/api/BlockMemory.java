// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * The memory of one decoded block. The decoder receives it together with the bytes, and arranges
 * that {@link #free} runs exactly once, after the last holder has released the decoded object.
 */
@FunctionalInterface
public interface BlockMemory {

  @FunctionalInterface
  interface Holders {

    /**
     * Whether more than this number of references are held. References that other threads take or
     * release during the call may or may not count. Any thread may call this without a reference.
     */
    boolean exceeds(int references);

    /**
     * Ends the count for good if the tier's reference is the only one: from now on no other can be
     * taken, and the object must not be used. The memory is not freed: it stays the tier's. Only
     * the tier calls this, on any thread, while it holds its reference.
     *
     * @return false if there are other references, or if the count cannot do this
     */
    default boolean endUnlessShared() {
      return false;
    }
  }

  /** Frees the memory. Called exactly once, from any thread; never blocks on I/O. */
  void free();

  /**
   * Gives the tier the count of holders, which it may read for as long as it knows the block. A
   * decoder that counts holders calls this before it returns the decoded object.
   */
  default void heldBy(Holders holders) {}

  /**
   * Runs an action before the tier releases its own reference to the decoded object. Until then the
   * tier holds its reference, so no other release can be the last, and a reference count need not
   * detect that it reaches zero.
   *
   * <p>Any thread may call this, once per decoded object, while it holds a reference; the action of
   * a later object replaces the one before. The action may run at any time from then on, on any
   * thread, under locks of the tier. It must be quick, must not call the tier, and may run even if
   * this returns false.
   *
   * @return false if the tier has no reference of its own, or may be releasing it already
   */
  default boolean beforeTierRelease(Runnable action) {
    return false;
  }
}
