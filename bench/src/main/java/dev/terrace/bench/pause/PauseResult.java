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
package dev.terrace.bench.pause;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Summary;
import java.util.List;

/**
 * What one cache showed.
 *
 * @param cache its label
 * @param nothing the time of nothing at all: the clock, and what stops a thread here anyway
 * @param pauses what callers saw, one for each thing that went on
 * @param evictionMillis how long the eviction of the large file took, each time
 */
record PauseResult(
    String cache, LatencyNanos nothing, List<Pause> pauses, Summary evictionMillis) {}
