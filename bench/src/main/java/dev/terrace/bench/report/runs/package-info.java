/** Reads what the commands wrote, and turns each kind of run into a section of a report. */
package dev.terrace.bench.report.runs;
