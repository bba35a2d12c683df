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
package dev.terrace.hbase;

import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * Names of store files. After a split, the daughters read the parent's file through references:
 * small files named {@code file.parent}, whose blocks lie in {@code file}.
 */
final class StoreFileNames {

  /** The length of a plain name: a UUID in hexadecimal digits. References are longer. */
  private static final int PLAIN_LENGTH = 32;

  private StoreFileNames() {}

  /** The name of the file in which the blocks of the named file lie. */
  static String physical(String name) {
    return name.length() <= PLAIN_LENGTH ? name : referred(name);
  }

  static boolean isReference(String name) {
    return name.length() > PLAIN_LENGTH
        && name.lastIndexOf('.') > 0
        && StoreFileInfo.isReference(name);
  }

  private static String referred(String name) {
    return isReference(name) ? StoreFileInfo.getReferredToRegionAndFile(name).getSecond() : name;
  }
}
