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

import java.util.Map;

/**
 * The moves from one tier to another so far.
 *
 * @param from the name of the source tier
 * @param to the name of the target tier
 * @param blocks number of moves by outcome; outcomes that did not occur are left out
 * @param bytes encoded bytes of the moved blocks
 */
public record MoveStats(String from, String to, Map<MoveOutcome, Long> blocks, long bytes) {

  /** The source of blocks that are put straight into a lower tier. */
  public static final String OUTSIDE = "outside";
}
