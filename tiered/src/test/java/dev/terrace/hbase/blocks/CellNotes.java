// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.util.Pair;

/** A coprocessor that notes where the cells lie that pass by. */
public class CellNotes implements RegionCoprocessor, RegionObserver {

  /** Where a cell lies. */
  enum Place {
    /** In an array, which the collector frees. */
    HEAP,
    /** In the cache's memory, which is used again. */
    CACHE
  }

  private static final Queue<Place> SEEN = new ConcurrentLinkedQueue<>();

  /** Where the cells lay that passed by since the last call. */
  static EnumSet<Place> take() {
    EnumSet<Place> taken = EnumSet.noneOf(Place.class);
    for (Place place = SEEN.poll(); place != null; place = SEEN.poll()) {
      taken.add(place);
    }
    return taken;
  }

  static Place placeOf(Cell cell) {
    return cell instanceof ByteBufferExtendedCell ? Place.CACHE : Place.HEAP;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells) {
    cells.forEach(cell -> SEEN.add(placeOf(cell)));
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> rows,
      int limit,
      boolean hasNext) {
    for (Result row : rows) {
      row.listCells().forEach(cell -> SEEN.add(placeOf(cell)));
    }
    return hasNext;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Mutation mutation,
      List<Pair<Cell, Cell>> oldAndNew) {
    oldAndNew.forEach(pair -> SEEN.add(placeOf(pair.getFirst())));
    return oldAndNew;
  }
}
