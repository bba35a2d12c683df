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
package dev.terrace.bench.pe;

import com.codahale.metrics.Snapshot;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.PerformanceEvaluation;

/**
 * Runs PerformanceEvaluation's clients in this JVM. Its command line logs results and returns none,
 * and it reads as many rows as the table is said to have; the method behind the command line takes
 * both numbers and returns results, but is not public, hence the reflection.
 */
final class PeBridge {

  private static final String OPTIONS = PerformanceEvaluation.class.getName() + "$TestOptions";
  private static final String RESULT = PerformanceEvaluation.class.getName() + "$RunResult";

  private PeBridge() {}

  /**
   * Runs the clients and waits for them.
   *
   * @param options names of options, as in their setters, with values
   * @return what each client did
   * @throws IOException if a client fails
   */
  static List<ClientResult> run(Map<String, Object> options, Configuration configuration)
      throws IOException {
    try {
      Class<?> optionsType = Class.forName(OPTIONS);
      Constructor<?> constructor = optionsType.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object target = constructor.newInstance();
      for (Map.Entry<String, Object> option : options.entrySet()) {
        set(target, option.getKey(), option.getValue());
      }
      Method clients =
          PerformanceEvaluation.class.getDeclaredMethod(
              "doLocalClients", optionsType, Configuration.class);
      clients.setAccessible(true);
      return results((Object[]) clients.invoke(null, target, configuration));
    } catch (InvocationTargetException e) {
      throw failure(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this HBase's PerformanceEvaluation is a different one", e);
    }
  }

  private static void set(Object target, String option, Object value)
      throws ReflectiveOperationException {
    String name = "set" + Character.toUpperCase(option.charAt(0)) + option.substring(1);
    Method setter =
        Arrays.stream(target.getClass().getDeclaredMethods())
            .filter(method -> method.getName().equals(name) && method.getParameterCount() == 1)
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException(target.getClass() + "." + name));
    setter.setAccessible(true);
    boolean narrower = setter.getParameterTypes()[0] == int.class && value instanceof Long;
    setter.invoke(target, narrower ? (Object) Math.toIntExact((Long) value) : value);
  }

  private static List<ClientResult> results(Object[] results) throws ReflectiveOperationException {
    Class<?> type = Class.forName(RESULT);
    Field duration = type.getDeclaredField("duration");
    Field histogram = type.getDeclaredField("hist");
    duration.setAccessible(true);
    histogram.setAccessible(true);
    List<ClientResult> list = new ArrayList<>();
    for (Object result : results) {
      var latencies = (com.codahale.metrics.Histogram) histogram.get(result);
      list.add(new ClientResult(duration.getLong(result), latencies.getSnapshot()));
    }
    return list;
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return (IOException)
          new InterruptedIOException("PerformanceEvaluation was interrupted").initCause(cause);
    }
    return cause instanceof IOException io
        ? io
        : new IOException("PerformanceEvaluation failed: " + cause, cause);
  }

  /**
   * What one client did.
   *
   * @param millis how long it took
   * @param latenciesMicros of its calls
   */
  record ClientResult(long millis, Snapshot latenciesMicros) {}
}
