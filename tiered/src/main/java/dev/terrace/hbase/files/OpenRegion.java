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
package dev.terrace.hbase.files;

import java.util.List;

/**
 * A region that the server has, with all files of its stores.
 *
 * @param name its encoded name; that of the primary one if it is a replica
 * @param isOpen whether it is open, and was so until all files were listed. If not, it may have
 *     given files up that it reads again soon.
 * @param isCompacting whether a compaction of it was asked for and had not ended before the files
 *     were listed
 * @param files those that it writes, reads, or has compacted and not archived yet
 */
public record OpenRegion(
    String name, boolean isOpen, boolean isCompacting, List<OpenStoreFile> files) {}
