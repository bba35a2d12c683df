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
 * @param from the name of the tier that they left, or were copied from
 * @param to the name of the tier that they were offered to
 * @param blocks how many were to move, by what became of them; what did not occur is left out
 * @param bytes the encoded bytes of those that moved
 */
public record MoveStats(String from, String to, Map<MoveOutcome, Long> blocks, long bytes) {}
