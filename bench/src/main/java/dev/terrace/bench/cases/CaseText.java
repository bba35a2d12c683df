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
package dev.terrace.bench.cases;

/**
 * What a case is about, in words.
 *
 * @param letter its letter
 * @param title what is compared
 * @param published the figures that were published
 * @param source by whom, and on what
 * @param differs what is different here
 */
record CaseText(String letter, String title, String published, String source, String differs) {}
