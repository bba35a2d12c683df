/** A report's sections, and how they become an HTML page and a Markdown document. */
package dev.terrace.bench.report.page;
