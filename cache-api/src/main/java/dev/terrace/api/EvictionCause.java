// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** Why a block left a tier. */
public enum EvictionCause {
  /** The policy evicted it to make room. */
  SIZE,
  /** It was evicted by its key. */
  KEY,
  /** Its file was evicted, or the range of it where the block lies. */
  FILE,
  /** The tier was made smaller, or the most that a {@link Quota} allows. */
  RESIZE,
  /** Its bytes were damaged or unreadable. */
  DAMAGE,
  /** Its device could not write it, such as for want of space. */
  NOT_WRITTEN,
  /** The tier was closed. */
  CLOSE
}
