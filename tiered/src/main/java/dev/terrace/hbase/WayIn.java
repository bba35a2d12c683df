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

import org.apache.hadoop.conf.Configuration;

/** How Terrace came to be HBase's block cache. */
public enum WayIn {
  /** By {@link TerraceRegionServer}. */
  REGION_SERVER_CLASS("hbase.regionserver.impl"),
  /** By {@link TerraceCoprocessor}. */
  COPROCESSOR("hbase.coprocessor.regionserver.classes"),
  /** As the second level below HBase's own cache. */
  EXTERNAL_CACHE("hbase.blockcache.external.class"),
  /** By {@link Terrace#install}, or by making a {@link TieredBlockCache}. */
  EMBEDDED("embedded");

  private final String label;

  WayIn(String label) {
    this.label = label;
  }

  /** The way of a cache which is made from a configuration, and nothing else is known. */
  static WayIn ofConstructor(Configuration conf) {
    String externalClass = conf.get(EXTERNAL_CACHE.label);
    return TieredBlockCache.class.getName().equals(externalClass) ? EXTERNAL_CACHE : EMBEDDED;
  }

  /** The key in hbase-site.xml that leads in, if there is one. */
  @Override
  public String toString() {
    return label;
  }
}
