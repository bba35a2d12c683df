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
package dev.terrace.tiered;

import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.admission.AdmissionPolicy;

/** What became of a block that was to move from one tier to another. */
public enum MoveOutcome {
  /** It is there now. */
  MOVED,
  /** It was there already, so that nothing was written. */
  ALREADY_THERE,
  /** Nothing says that it will be read again. */
  NO_REUSE,
  /** Too much was written to the tier lately. */
  OVER_BUDGET,
  /** Too many bytes were on their way already. */
  OVERLOADED,
  /** The tier refused it, for the reason that its own counters tell. */
  REFUSED,
  /** The cache is being closed. */
  CLOSED,
  /** Something failed that should not, and that the log tells of. */
  FAILED,
  /** It was evicted before it got there. */
  EVICTED;

  /** What it comes to that a tier was asked, if it was, after a verdict. */
  static MoveOutcome of(AdmissionPolicy.Verdict verdict, PutOutcome outcome) {
    return switch (verdict) {
      case NO_REUSE -> NO_REUSE;
      case OVER_BUDGET -> OVER_BUDGET;
      case ADMIT ->
          switch (outcome) {
            case STORED -> MOVED;
            case ALREADY_PRESENT -> ALREADY_THERE;
            default -> REFUSED;
          };
    };
  }

  /** Whether no other tier is to be asked. */
  boolean isFinal() {
    return this == MOVED || this == ALREADY_THERE || this == EVICTED || this == CLOSED;
  }
}
