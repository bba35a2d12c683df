// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import acme.FamilyFirst;
import acme.FirstOfGroup;
import acme.NewGroup;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.BitComparator.BitwiseOp;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Filters over the rows of {@link RandomTable}: each of HBase's, and some from elsewhere. */
final class RandomFilters {

  private static final int DEPTH = 2;

  private final Random random;
  private final boolean hasMobs;

  /**
   * Filters of a table.
   *
   * @param hasMobs HBase compares the name of a value's file in its place, which is random
   */
  RandomFilters(Random random, boolean hasMobs) {
    this.random = random;
    this.hasMobs = hasMobs;
  }

  Filter next() {
    return next(DEPTH);
  }

  private byte[] row() {
    return RandomTable.row(random.nextInt(RandomTable.ROWS));
  }

  private byte[] family() {
    return RandomTable.FAMILIES.get(random.nextInt(2));
  }

  private byte[] column() {
    return RandomTable.column(random.nextInt(RandomTable.COLUMNS));
  }

  private byte[][] twoColumns() {
    int first = random.nextInt(RandomTable.COLUMNS - 1);
    return new byte[][] {RandomTable.column(first), RandomTable.column(first + 1)};
  }

  private CompareOperator operator() {
    CompareOperator[] all = CompareOperator.values();
    return all[random.nextInt(all.length - 1)];
  }

  private Filter next(int depth) {
    return switch (random.nextInt(depth == 0 ? 24 : 29)) {
      case 0 -> new FirstKeyOnlyFilter();
      case 1 -> new KeyOnlyFilter(random.nextBoolean());
      case 2 -> new PageFilter(1 + random.nextInt(RandomTable.ROWS));
      case 3 -> new ColumnCountGetFilter(1 + random.nextInt(100));
      case 4 -> new ColumnPaginationFilter(1 + random.nextInt(4), random.nextInt(5));
      case 5 -> new ColumnPaginationFilter(1 + random.nextInt(4), column());
      case 6 -> new ColumnRangeFilter(column(), random.nextBoolean(), null, false);
      case 7 -> new ColumnPrefixFilter(column());
      case 8 -> new MultipleColumnPrefixFilter(twoColumns());
      case 9 -> new InclusiveStopFilter(row());
      case 10 -> new SingleColumnValueFilter(family(), column(), operator(), value());
      case 11 -> missing(new SingleColumnValueFilter(family(), column(), operator(), value()));
      case 12 -> new SingleColumnValueExcludeFilter(family(), column(), operator(), value());
      case 13 -> new ColumnValueFilter(family(), column(), operator(), value());
      case 14 -> new RowFilter(operator(), ofRow());
      case 15 -> new QualifierFilter(operator(), new BinaryComparator(column()));
      case 16 -> new ValueFilter(operator(), value());
      case 17 -> new FamilyFilter(operator(), new BinaryComparator(family()));
      case 18 -> new TimestampsFilter(timestamps(), random.nextBoolean());
      case 19 -> new DependentColumnFilter(family(), column(), random.nextBoolean());
      case 20 -> new FuzzyRowFilter(new ArrayList<>(List.of(fuzzy(), fuzzy())));
      case 21 -> new MultiRowRangeFilter(new ArrayList<>(List.of(range(), range())));
      // By chance it would differ between servers.
      case 22 -> new RandomRowFilter(random.nextBoolean() ? 2 : -1);
      case 23 -> foreign();
      case 24 -> new SkipFilter(next(depth - 1));
      case 25 -> new WhileMatchFilter(next(depth - 1));
      case 26 -> new PrefixFilter(Bytes.head(row(), RandomTable.ROW_BYTES - random.nextInt(3)));
      case 27 -> new FilterList(FilterList.Operator.MUST_PASS_ONE, several(depth - 1));
      default -> new FilterList(FilterList.Operator.MUST_PASS_ALL, several(depth - 1));
    };
  }

  private static Filter missing(SingleColumnValueFilter filter) {
    filter.setFilterIfMissing(true);
    return filter;
  }

  private Filter foreign() {
    return switch (random.nextInt(3)) {
      case 0 -> new FirstOfGroup();
      case 1 -> new FamilyFirst(family());
      default -> new RowFilter(CompareOperator.EQUAL, new NewGroup());
    };
  }

  private List<Filter> several(int depth) {
    List<Filter> filters = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      filters.add(next(depth));
    }
    return filters;
  }

  private ByteArrayComparable ofRow() {
    return switch (random.nextInt(5)) {
      case 0 -> new BinaryComparator(row());
      case 1 -> new BinaryPrefixComparator(Bytes.head(row(), RandomTable.ROW_BYTES - 1));
      case 2 -> new BinaryComponentComparator(Bytes.tail(row(), 1), RandomTable.ROW_BYTES - 1);
      // It takes nothing but eight bytes.
      case 3 -> new LongComparator(Bytes.toLong(row()));
      default -> new RegexStringComparator("row.*[1357]$");
    };
  }

  private ByteArrayComparable value() {
    ByteArrayComparable any = anyValue();
    return hasMobs ? new NullComparator() : any;
  }

  private ByteArrayComparable anyValue() {
    byte[] bytes = new byte[4];
    random.nextBytes(bytes);
    return switch (random.nextInt(6)) {
      case 0 -> new BinaryPrefixComparator(bytes);
      case 1 -> new BitComparator(bytes, BitwiseOp.XOR);
      case 2 -> new SubstringComparator("a");
      case 3 -> new NullComparator();
      case 4 -> new BigDecimalComparator(BigDecimal.valueOf(random.nextInt()));
      default -> new BinaryComparator(bytes);
    };
  }

  private List<Long> timestamps() {
    TreeSet<Long> timestamps = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      timestamps.add(1L + random.nextInt(RandomTable.TIMESTAMPS));
    }
    return new ArrayList<>(timestamps);
  }

  /** A row of which one byte may be any. */
  private Pair<byte[], byte[]> fuzzy() {
    byte[] any = new byte[RandomTable.ROW_BYTES];
    any[RandomTable.ROW_BYTES - 1 - random.nextInt(2)] = 1;
    return new Pair<>(row(), any);
  }

  private RowRange range() {
    byte[] one = row();
    byte[] other = row();
    boolean isOrdered = Bytes.compareTo(one, other) < 0;
    return new RowRange(isOrdered ? one : other, true, isOrdered ? other : one, true);
  }
}
