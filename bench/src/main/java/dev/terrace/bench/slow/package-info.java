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
 * A simulation of slow stores: a Hadoop file system over the local one that makes its callers wait
 * as they would wait for a disk, a network or an object store. Its classes, {@code Slow*}, go into a
 * jar of their own on the class path of an HBase server, so they use nothing of other packages here.
 * And a real server of S3 that is made as slow.
 */
package dev.terrace.bench.slow;
