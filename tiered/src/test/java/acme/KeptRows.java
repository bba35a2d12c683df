// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package acme;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads each row once, keeps its cells after the scanner is closed, and answers Gets from them. */
public class KeptRows implements RegionCoprocessor, RegionObserver {

  private final Map<String, List<Cell>> kept = new ConcurrentHashMap<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    String row = Bytes.toStringBinary(get.getRow());
    List<Cell> cells = kept.get(row);
    if (cells == null) {
      cells = new ArrayList<>();
      try (RegionScanner scanner = context.getEnvironment().getRegion().getScanner(new Scan(get))) {
        scanner.next(cells);
      }
      kept.put(row, cells);
    }
    results.addAll(cells);
    context.bypass();
  }
}
