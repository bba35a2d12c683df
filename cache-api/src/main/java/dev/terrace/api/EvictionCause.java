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
