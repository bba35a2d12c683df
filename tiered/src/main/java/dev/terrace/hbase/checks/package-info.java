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
/**
 * What can be known of a region server before it starts: what keeps it from its start, and what
 * makes its cache poor. The server and the command {@code doctor} run the same checks; so nothing
 * here knows HBase, Hadoop or SLF4J.
 */
package dev.terrace.hbase.checks;
