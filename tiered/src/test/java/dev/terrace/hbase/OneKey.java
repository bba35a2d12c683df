// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import java.security.Key;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.hbase.io.crypto.KeyProvider;
import org.apache.hadoop.hbase.util.Bytes;

/** Has one key for all names, made of the parameters; without these it has none. */
public final class OneKey implements KeyProvider {

  private String made = "";

  @Override
  public void init(String parameters) {
    made = parameters;
  }

  @Override
  public Key getKey(String alias) {
    byte[] key = Arrays.copyOf(Bytes.toBytes(made), 16);
    return made.isEmpty() ? null : new SecretKeySpec(key, "AES");
  }

  @Override
  public Key[] getKeys(String[] aliases) {
    return Stream.of(aliases).map(this::getKey).toArray(Key[]::new);
  }
}
