#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Terrace authors
# SPDX-License-Identifier: Apache-2.0

# Prints the counts of the last run of HBase's tests as a table in Markdown, from the reports in target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

shopt -s nullglob
reports=(target/dram/TEST-*.xml target/all-tiers/TEST-*.xml)
((${#reports[@]} > 0)) || { echo "no reports in $PWD/target: run HBase's tests first" >&2; exit 1; }

awk '
  function attribute(name) {
    return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
  }

  function passed_in(class, variant) {
    return (class, variant) in passed ? passed[class, variant] : "not run"
  }

  FILENAME ~ /cannot-pass.txt$/ {
    if (/^[^#]/) {
      split($0, parts, "#")
      class = parts[1]
      gsub(/^.*\/|\.java$/, "", class)
      cases_of = parts[2] == "*" ? "all" : "`" parts[2] "`"
      if (class in cannot) {
        cases_of = cannot[class] ", " cases_of
      }
      cannot[class] = cases_of
    }
    next
  }

  /<testsuite / {
    class = attribute("name")
    sub(/^org\.apache\.hadoop\.hbase\./, "", class)
    variant = FILENAME ~ /all-tiers/ ? "all" : "dram"
    tests = attribute("tests")
    skipped = attribute("skipped")
    passed[class, variant] = tests - skipped - attribute("failures") - attribute("errors")
    cases[class] = tests > cases[class] ? tests : cases[class] + 0
    skips[class] = skipped > skips[class] ? skipped : skips[class] + 0
    nextfile
  }

  END {
    print "| class | cases run | passed, DRAM alone | passed, all tiers | skipped by HBase | left out |"
    print "| --- | --- | --- | --- | --- | --- |"
    fflush()
    sorted = "sort"
    for (class in cases) {
      simple = class
      sub(/^.*\./, "", simple)
      was_run[simple] = 1
      printf "| %s | %d | %s | %s | %d | %s |\n", class, cases[class], passed_in(class, "dram"),
        passed_in(class, "all"), skips[class], cannot[simple] | sorted
      classes++
      all_cases += cases[class]
      all_dram += passed[class, "dram"]
      all_tiers += passed[class, "all"]
      all_skips += skips[class]
    }
    for (simple in cannot) {
      if (!(simple in was_run)) {
        printf "| %s | 0 | 0 | 0 | 0 | %s |\n", simple, cannot[simple] | sorted
      }
    }
    close(sorted)
    printf "| %d classes | %d | %d | %d | %d | |\n", classes, all_cases, all_dram, all_tiers, all_skips
  }
' src/test/cannot-pass.txt "${reports[@]}"
