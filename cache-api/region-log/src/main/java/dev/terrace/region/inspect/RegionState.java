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
package dev.terrace.region.inspect;

/** The state of a region of a stopped cache. */
public enum RegionState {
  /** Full, or ended by a clean stop: header, footer and table are whole. */
  SEALED("sealed"),
  /** On memory: has records, and no footer yet, because the process was killed. */
  OPEN("open"),
  /** Holds nothing. */
  EMPTY("empty"),
  /** Its header, footer, table or chain of records is damaged. */
  DAMAGED("damaged");

  private final String label;

  RegionState(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
