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

import dev.terrace.api.Tier;
import dev.terrace.tiered.admission.AdmissionPolicy;

/**
 * A tier of a cache.
 *
 * @param puts counts what is put into it from outside
 * @param admission decides about what is offered to it
 * @param demoter carries what leaves it
 */
record Level<B>(Tier<B> tier, MoveCounters puts, AdmissionPolicy admission, Demoter<B> demoter) {}
