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
package dev.terrace.bench.pause;

import dev.terrace.region.device.Device;
import dev.terrace.region.format.CacheSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A device whose writes wait at a gate. */
final class StalledDevice implements Device {

  private final Device device;
  private final Gate gate;

  StalledDevice(Device device, Gate gate) {
    this.device = device;
    this.gate = gate;
  }

  @Override
  public void write(int region, int position, ByteBuffer source) throws IOException {
    gate.pass();
    device.write(region, position, source);
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    gate.pass();
    device.force(region, position, lengthBytes);
  }

  @Override
  public String path() {
    return device.path();
  }

  @Override
  public UUID id() {
    return device.id();
  }

  @Override
  public CacheSecret secret() {
    return device.secret();
  }

  @Override
  public long generation() {
    return device.generation();
  }

  @Override
  public int regions() {
    return device.regions();
  }

  @Override
  public int regionBytes() {
    return device.regionBytes();
  }

  @Override
  public int alignmentBytes() {
    return device.alignmentBytes();
  }

  @Override
  public boolean isMapped() {
    return device.isMapped();
  }

  @Override
  public ByteBuffer memory(int region) {
    return device.memory(region);
  }

  @Override
  public void read(int region, int position, ByteBuffer target) throws IOException {
    device.read(region, position, target);
  }

  @Override
  public void close() {
    device.close();
  }
}
