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
package dev.terrace.bench.workload;

import java.security.Key;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.hbase.io.crypto.KeyProvider;

/** Gives HBase one master key, for caches that keep no secrets. */
public final class OneMasterKey implements KeyProvider {

  private static final int KEY_BYTES = 16;

  /** For HBase, which makes it by its name. */
  public OneMasterKey() {}

  @Override
  public void init(String parameters) {}

  @Override
  public Key getKey(String alias) {
    return new SecretKeySpec(new byte[KEY_BYTES], "AES");
  }

  @Override
  public Key[] getKeys(String[] aliases) {
    return Stream.of(aliases).map(this::getKey).toArray(Key[]::new);
  }
}
