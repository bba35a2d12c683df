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
package acme;

import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/** Passes each cell, and needs one family to do so: scans may read the others on demand. */
public class FamilyFirst extends FilterBase {

  private final byte[] family;

  public FamilyFirst(byte[] family) {
    this.family = family.clone();
  }

  public static FamilyFirst parseFrom(byte[] bytes) {
    return new FamilyFirst(bytes);
  }

  @Override
  public boolean isFamilyEssential(byte[] name) {
    return Bytes.equals(name, family);
  }

  @Override
  public byte[] toByteArray() {
    return family.clone();
  }
}
