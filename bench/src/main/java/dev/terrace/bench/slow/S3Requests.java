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
package dev.terrace.bench.slow;

/**
 * What was asked of an S3 server.
 *
 * @param reads requests for bytes of a file
 * @param writes requests that write, copy or end a file or a part of one
 * @param others lookups, listings and deletions
 * @param refused requests that were answered by a 503
 * @param bytesRead what the reads got
 */
public record S3Requests(long reads, long writes, long others, long refused, long bytesRead) {

  /** Returns what was asked since an earlier moment. */
  public S3Requests since(S3Requests earlier) {
    return new S3Requests(
        reads - earlier.reads,
        writes - earlier.writes,
        others - earlier.others,
        refused - earlier.refused,
        bytesRead - earlier.bytesRead);
  }

  /** Returns all that S3 asks money for. */
  public long all() {
    return reads + writes + others;
  }
}
