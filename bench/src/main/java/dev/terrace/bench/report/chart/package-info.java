/** Charts as SVG: made in Java, of any width, without scripts, in light and dark. */
package dev.terrace.bench.report.chart;
