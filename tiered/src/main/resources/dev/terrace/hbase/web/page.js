// Shows terrace/status.json, which is read every two seconds, and terrace/lists.json, every half a
// minute. All text goes into the page as text, so that names are no markup. The build replaces
// dollar signs before braces: no template literals here.
'use strict';

const UNKNOWN = '–';
const parameters = new URLSearchParams(location.search);
let status;
let lists;

// ---- Figures as people read them ----

const known = (value, text) => (Number.isFinite(value) ? text(value) : UNKNOWN);
const percent = share => known(share, value => (100 * value).toFixed(1) + ' %');
const count = number => known(number, value => Math.round(value).toLocaleString('en'));
const rate = perSecond => known(perSecond, value => (value > 0 && value < 10 ? value.toFixed(1) : count(value)));
const short = value => (value < 10 ? value.toFixed(1) : value.toFixed(0));

function bytes(number) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  for (; number >= 1024 && unit < units.length - 1; unit++) {
    number /= 1024;
  }
  return known(number, value => (unit && value % 1 ? value.toFixed(1) : Math.round(value)) + ' ' + units[unit]);
}

function seconds(time) {
  const micros = time * 1e6;
  return known(micros, () => (micros < 1e3 ? short(micros) + ' µs'
      : micros < 1e6 ? short(micros / 1e3) + ' ms' : short(time) + ' s'));
}

function period(time) {
  const minutes = Math.floor(time / 60);
  return minutes < 2 ? Math.floor(time) + ' s' : minutes < 120 ? minutes + ' min'
      : minutes < 48 * 60 ? Math.floor(minutes / 60) + ' h' : Math.floor(minutes / 1440) + ' days';
}

// Times are those of the server, and of its log: the browser's clock and zone may be others.
const age = instant => (new Date(status.time) - new Date(instant)) / 1000;
const clock = instant => instant.slice(0, 19).replace('T', ' ');

function time(instant) {
  const sameDay = instant.slice(0, 10) === status.time.slice(0, 10);
  return clock(instant).slice(sameDay ? 11 : 0) + ' (' + period(Math.max(0, age(instant))) + ' ago)';
}

// ---- Elements ----

const id = name => document.getElementById(name);

function element(tag, attributes, ...children) {
  const made = tag === 'svg' || tag === 'path'
      ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  Object.entries(attributes || {}).forEach(([name, value]) => {
    if (name === 'style') {
      made.style.cssText = value; // A policy of the server may forbid the attribute.
    } else {
      made.setAttribute(name, value);
    }
  });
  made.append(...children);
  return made;
}

const show = (name, ...children) => id(name).replaceChildren(...children);
const paragraph = (text, style) => element('p', style ? {class: style} : {}, text);
const figure = (name, ...value) =>
  element('div', {}, element('dt', {}, name), element('dd', {}, ...value));

// On a narrow screen each row is a list, for which each cell carries its title.
function table(titles, rows) {
  if (!rows.length) {
    return paragraph('Nothing so far.');
  }
  const head = element('tr', {}, ...titles.map(title => element('th', {scope: 'col'}, title)));
  const body = rows.map(row => element('tr', {},
      ...row.map((cell, column) => element('td', {'data-title': titles[column]}, cell))));
  return element('table', {class: 'rows'}, element('thead', {}, head), element('tbody', {}, ...body));
}

// ---- Verdict ----

function showVerdict() {
  const verdict = status.verdict;
  const problems = verdict.problems.map(problem => element('article', {},
      element('h3', {}, problem.what),
      paragraph('Since ' + time(problem.since) + '. ' + problem.meaning),
      ...(problem.toDo ? [element('p', {}, element('b', {}, 'To do: '), problem.toDo)] : [])));
  const paths = status.paths.length;
  id('verdict').className = 'verdict ' + verdict.level;
  show('verdict',
      element('h2', {}, !problems.length ? 'All is well'
          : problems.length === 1 ? '1 problem' : problems.length + ' problems'),
      paragraph('Since ' + time(verdict.since) + '.', 'soft'),
      ...problems,
      paragraph(number(status.tiers.length, 'tier') + (paths ? ', ' + number(paths, 'path') : '')
          + '. Up for ' + period(age(status.start)) + '. As of ' + clock(status.time)
          + '; rates are those of the last ' + period(status.before.seconds) + '.', 'soft'));
}

const number = (many, of) => many + ' ' + of + (many === 1 ? '' : 's');

function showFailure(problem) {
  id('verdict').className = 'verdict bad';
  show('verdict', element('h2', {}, 'No answer from the server'),
      paragraph(problem.message + (status ? '. The figures below are from ' + clock(status.time) : '') + '.'));
}

// ---- Traffic ----

const now = (of, name) => status.figures[of][name] || 0;
const grown = (of, name) => Math.max(0, now(of, name) - ((status.before.figures[of] || {})[name] || 0));

// The highest tier sees each lookup.
function traffic(value) {
  const hits = {};
  status.tiers.forEach(tier => { hits[tier] = value(tier, 'hits_total'); });
  const all = Object.values(hits).reduce((sum, more) => sum + more, 0);
  const highest = status.tiers[0];
  const lookups = highest ? Math.max(all, hits[highest] + value(highest, 'misses_total')) : 0;
  return {hits, lookups, ratio: all / lookups, missed: lookups - all};
}

function showTraffic() {
  const lately = traffic(grown);
  const whole = traffic(now);
  let time = 0;
  let timed = 0;
  status.tiers.forEach(tier => {
    const mean = status.figures[tier].hit_mean_seconds;
    if (mean !== undefined) {
      time += mean * lately.hits[tier];
      timed += lately.hits[tier];
    }
  });
  const tile = (name, value, beside) => figure(name, value, element('small', {}, beside));
  show('tiles',
      tile('hit ratio', percent(lately.ratio), 'since startup ' + percent(whole.ratio)),
      tile('hit time', seconds(time / timed), 'mean, sampled'),
      tile('lookups a second', rate(lately.lookups / status.before.seconds),
          'since startup ' + count(whole.lookups)));
  show('ends', ...ends(lately));
  show('tiers', ...status.tiers.flatMap((tier, level) => [box(tier, lately), ...border(level)]),
      element('li', {class: 'files'}, element('h3', {}, 'HFiles'), paragraph(lately.lookups
          ? percent(1 - lately.ratio) + ' of the lookups, '
              + rate(lately.missed / status.before.seconds) + ' a second, miss all tiers and read HFiles.'
          : 'No lookups in the last minute.')));
}

// Where lookups ended: a bar, and its parts in words, which a narrow part has no room for.
function ends(lately) {
  if (!lately.lookups) {
    return [];
  }
  const parts = status.tiers.map(tier => [tier, lately.hits[tier] / lately.lookups])
      .concat([['missed', lately.missed / lately.lookups]]);
  return [
    element('div', {class: 'ends', 'aria-hidden': 'true'}, ...parts.map(([name, share]) =>
      element('i', {class: name, style: 'flex-grow:' + share}))),
    element('p', {class: 'ends-words'}, ...parts.map(([name, share]) =>
      element('span', {class: 'key ' + name}, name + ' ' + percent(share)))),
  ];
}

function box(tier, lately) {
  const of = status.figures[tier];
  const fill = percent(of.used_bytes / of.capacity_bytes);
  const hits = lately.hits[tier];
  const smaller = of.compression_ratio > 1.005 ? ', blocks compressed ' + of.compression_ratio.toFixed(1) + ' to 1' : '';
  const paths = status.paths.filter(path => path.tier === tier);
  return element('li', {class: 'tier ' + tier},
      element('h3', {}, tier + ' ', element('small', {}, bytes(of.capacity_bytes) + smaller)),
      element('div', {class: 'bar', role: 'img', 'aria-label': fill + ' full'},
          element('i', {style: 'width:' + fill.replace(' ', '')})),
      element('dl', {},
          figure('full', fill),
          figure('blocks', count(of.blocks)),
          figure('of all lookups', percent(hits / lately.lookups)),
          figure('of its lookups', percent(hits / (hits + grown(tier, 'misses_total')))),
          figure('median hit', seconds(of.hit_p50_seconds)),
          figure('p99', seconds(of.hit_p99_seconds))),
      ...(paths.length ? [element('ul', {class: 'paths'}, ...paths.map(line))] : []));
}

const LEVELS = {IN_SERVICE: 'well', OUT: 'bad', LOST: 'bad'};

function line(path) {
  const before = status.before.paths.find(then => then.path === path.path) || {};
  const mean = (what, counter, sum) => {
    const operations = path[counter] - (before[counter] || 0);
    return operations > 0 ? ', a ' + what + ' ' + seconds((path[sum] - (before[sum] || 0)) / operations) : '';
  };
  return element('li', {},
      element('b', {class: 'state ' + (LEVELS[path.state] || 'poor')}, path.words), ' ',
      element('code', {}, path.path),
      element('span', {}, bytes(path.used_bytes) + ' of ' + bytes(path.size_bytes)
          + mean('read', 'reads_total', 'read_seconds_total')
          + mean('write', 'writes_total', 'write_seconds_total')
          + (path.errors_total ? ', ' + count(path.errors_total) + ' errors' : '')
          + (path.state === 'IN_SERVICE' ? '' : ', since ' + time(path.since))));
}

// What moves over the border below a tier, from any tier above it to any below, and back.
function border(level) {
  if (level + 1 === status.tiers.length) {
    return [];
  }
  const moved = isWay => bytes(Object.keys(status.figures)
      .map(name => name.split('_to_'))
      .filter(([from, to]) => to && isWay(status.tiers.indexOf(from), status.tiers.indexOf(to)))
      .reduce((sum, way) => sum + grown(way.join('_to_'), 'moved_bytes_total'), 0) / status.before.seconds);
  return [element('li', {class: 'moves'},
      element('span', {}, '↓ ' + moved((from, to) => from <= level && to > level) + '/s down'),
      element('span', {}, '↑ ' + moved((from, to) => from > level && to <= level) + '/s up'))];
}

function showMisses() {
  const all = status.misses.reduce((sum, of) => sum + of.misses, 0);
  show('misses',
      paragraph('Since ' + time(status.missesSince) + ', the most frequent ones.', 'soft'),
      table(['table', 'family', 'read', 'misses', 'share'], status.misses.map(of =>
        [of.table, of.family, of.read, count(of.misses), percent(of.misses / all)])));
}

// ---- Over time ----

function showLines() {
  const lines = {'all tiers': [], ...Object.fromEntries(status.tiers.map(tier => [tier, []]))};
  const points = (tier, name) => lists.lines[tier + ' ' + name] || [];
  const length = status.tiers.length ? points(status.tiers[0], 'hits_total').length : 0;
  for (let point = 1; point < length; point++) {
    const growth = (tier, name) => points(tier, name)[point] - points(tier, name)[point - 1];
    const of = traffic(growth);
    lines['all tiers'].push(of.ratio);
    status.tiers.forEach(tier => lines[tier].push(of.hits[tier] / of.lookups));
  }
  const width = Math.max(60, length - 1);
  const style = name => (name === 'all tiers' ? 'whole' : name);
  id('lines').setAttribute('viewBox', '0 0 ' + (width - 1) + ' 100');
  show('lines', element('path', {class: 'grid', d: [0, 50, 100].map(y => 'M0 ' + y + 'h' + (width - 1)).join('')}),
      ...Object.entries(lines).reverse().map(([name, values]) =>
        element('path', {class: style(name), d: drawn(values, width)})));
  show('keys', ...Object.keys(lines).map(name => element('b', {class: 'key ' + style(name)}, name)));
  show('begin', period(width * 30) + ' ago');
}

// At the right. A point alone shows as a dot.
function drawn(values, width) {
  let drawing = false;
  return values.map((value, i) => {
    const start = drawing ? 'L' : 'M';
    const isFirst = !drawing;
    drawing = Number.isFinite(value);
    return drawing ? start + (width - values.length + i) + ' ' + (100 * (1 - value)).toFixed(1) + (isFirst ? 'h0' : '') : '';
  }).join('');
}

// ---- Sizes ----

const WORTH_IT = 0.1;
const NEXT_TO_NOTHING = 0.001;

function showSizes() {
  const sample = lists.whatIf.sample;
  if (!sample) {
    show('sizes', paragraph('Estimates appear 10 s after a start or a resize, once there is traffic.'
        + ' They need a DRAM tier.'));
    return;
  }
  const tiers = {};
  Object.entries(lists.whatIf).filter(([name]) => name !== 'sample').forEach(([name, size]) => {
    const [tier, factor] = name.split(' times ');
    (tiers[tier] = tiers[tier] || []).push({factor, ...size});
  });
  Object.values(tiers).forEach(sizes => sizes.sort((one, other) => one.sizeBytes - other.sizeBytes));
  const least = Math.min(...Object.values(tiers).flat().map(size => size.hitRatio));
  const order = status.tiers.filter(tier => tiers[tier]);
  show('sizes', paragraph(advice(tiers, order, sample), 'advice'),
      element('div', {class: 'sizes'}, ...order.map(tier => curve(tier, tiers[tier], least))),
      paragraph('Hit ratio of all tiers with another size of one of them, in the last ' + period(sample.seconds)
          + ': simulated on 1 block in ' + count(sample.oneBlockIn)
          + (sample.lostAccesses ? ', ' + count(sample.lostAccesses) + ' reads were dropped' : '')
          + '. The hit ratio of the current sizes is measured.', 'soft'));
}

// Advice on sizes, once the simulation has seen enough, and where the gain exceeds its error.
function advice(tiers, order, sample) {
  if (!sample.ready) {
    return 'No advice yet: the simulated tiers are still filling.';
  }
  const today = sample.hitRatio;
  const points = ' ± ' + (100 * sample.error).toFixed(1) + ' points';
  const at = (tier, factor) => tiers[tier].find(size => size.factor === factor) || {};
  const gain = tier => at(tier, '2').hitRatio - today;
  const best = [...order].sort((one, other) => gain(other) - gain(one))[0];
  const idle = order.filter(tier => today - at(tier, '1/2').hitRatio < NEXT_TO_NOTHING);
  const larger = best && gain(best) > sample.error && gain(best) >= WORTH_IT * (1 - today)
      ? 'Twice the ' + best + ' (' + bytes(at(best, '2').sizeBytes) + ') would hit ' + percent(at(best, '2').hitRatio)
          + points + ' instead of ' + percent(today) + ': ' + Math.round(100 * gain(best) / (1 - today))
          + ' % fewer reads of HFiles.'
      : 'Doubling any one tier would save less than a tenth of HFile reads' + (best ? ' (' + points.trim() + ')' : '') + '.';
  return larger + (idle.length
      ? ' Half the ' + idle.join(', or half the ') + ' would hit as much (' + points.trim() + ').' : '');
}

function curve(tier, sizes, least) {
  const y = size => (100 * (1 - (size.hitRatio - least) / Math.max(1e-9, 1 - least))).toFixed(1);
  // Each point is above its column of the table, whose first one has the titles.
  const points = sizes.map((size, i) => (20 * i + 30) + ' ' + y(size));
  const cells = (title, text) => element('tr', {}, element('th', {scope: 'row'}, title), ...sizes.map(size =>
    element('td', size.factor === '1' ? {class: 'today'} : {}, text(size))));
  const writes = sizes.some(size => size.ssdBytesADay > 0);
  return element('figure', {class: tier},
      element('figcaption', {}, element('b', {}, tier), ' at other sizes'),
      element('svg', {'aria-hidden': 'true', preserveAspectRatio: 'none', viewBox: '0 0 ' + 20 * (sizes.length + 1) + ' 100'},
          element('path', {class: tier, d: 'M' + points.join('L')}),
          element('path', {class: 'dots ' + tier, d: points.map(point => 'M' + point + 'h0').join('')})),
      element('table', {},
          element('caption', {}, tier + ': hit ratio by size'),
          element('tbody', {}, cells('size', size => bytes(size.sizeBytes)), cells('hits', size => percent(size.hitRatio)),
              ...(writes ? [cells('SSD/day', size => bytes(size.ssdBytesADay))] : []))));
}

// ---- Lists ----

const sum = values => Object.values(values).reduce((all, more) => all + more, 0);

function showLists() {
  lookups('tables', 'table', lists.lookupsByTable);
  lookups('families', 'family', lists.lookupsByFamily);
  held('table-bytes', 'table', lists.cachedTables);
  held('file-bytes', 'file', lists.cachedFiles, lists.owners);
  show('shares', paragraph('Set by hbase.terrace.tables.*'), table(['share', 'tier', 'min', 'max', 'used', 'hits', 'refused'],
      Object.entries(lists.tableShares).flatMap(([tier, tables]) => Object.entries(tables).map(([name, of]) =>
        [name, tier, bytes(of.min), bytes(of.max), bytes(of.bytes), count(of.hits), count(of.refused)]))));
  show('saved', paragraph('Since startup. A request is a read of a block. Saved requests are hits, estimated from 1 in '
      + count(lists.hitsPerSample) + '; each saves the mean size of the blocks that were read.'),
      table(['table', 'saved requests', 'saved bytes', 'reads', 'bytes read', 'prefetched', 'bytes prefetched'],
      Object.entries(lists.storeRequestsByTable).map(([name, of]) => [name, count(of.savedRequests), bytes(of.savedBytes),
        count(of.readRequests), bytes(of.readBytes), count(of.prefetchRequests), bytes(of.prefetchBytes)])));
  show('warming', paragraph('Since startup.'), table(['counter', 'value'],
      Object.entries(lists.regionWarmup).map(([name, value]) =>
        [name.replace(/[A-Z]/g, letter => ' ' + letter.toLowerCase()), /bytes/i.test(name) ? bytes(value) : count(value)])));
  show('copies', paragraph('Since startup: hits of data blocks copied to the heap, because the reader may keep cells.'),
      table(['reason', 'hits'], Object.entries(status.figures.heap).filter(([, hits]) => hits > 0).map(([name, hits]) =>
        [name.replace(/^copies_|_total$/g, '').replaceAll('_', ' '), count(hits)])));
  show('settings', table(['key', 'value', 'from'], Object.entries(lists.settings)
      .map(([key, of]) => [key, /\.(size|limit)$/.test(key) && /^[1-9]\d*$/.test(of.value) ? bytes(+of.value) : of.value, of.from])
      .sort((one, other) => (one[2] === 'default') - (other[2] === 'default'))));
}

const more = shown => (shown < lists.rows ? []
  : [element('p', {}, 'The largest ' + count(lists.rows) + '. ',
      element('a', {href: 'terrace?rows=' + (lists.rows < 1000 ? 1000 : 10000)}, 'Show more'))]);

function lookups(name, title, groups) {
  const rows = Object.entries(groups).sort((one, other) => sum(other[1]) - sum(one[1])).map(([group, of]) => {
    const all = sum(of);
    const hits = all - (of.misses || 0);
    return [group, (hits ? 'about ' : '') + count(all), share(hits, all),
      ...status.tiers.map(tier => share(of[tier] || 0, all))];
  });
  show(name, paragraph('Since startup. Misses are exact; hits are estimated from 1 in ' + count(lists.hitsPerSample)
      + '. A share is shown once its standard error is below 5 points.'), ...more(rows.length),
      table([title, 'lookups', 'hit ratio', ...status.tiers.map(tier => 'from ' + tier)], rows));
}

// A share of lookups, if the sample of hits that it is estimated from carries it: the standard error of
// Agresti and Coull, "Approximate is Better than 'Exact' for Interval Estimation of Binomial
// Proportions", 1998, which is not 0 where all or none of few samples hit.
function share(hits, all) {
  const samples = all / lists.hitsPerSample + 4;
  const estimate = (hits / lists.hitsPerSample + 2) / samples;
  return Math.sqrt(estimate * (1 - estimate) / samples) < 0.05 ? percent(hits / all) : UNKNOWN;
}

function held(name, title, byTier, owners) {
  const groups = {};
  Object.entries(byTier).forEach(([tier, of]) => Object.entries(of).forEach(([group, size]) => {
    (groups[group] = groups[group] || {})[tier] = size;
  }));
  const rows = Object.entries(groups).sort((one, other) => sum(other[1]) - sum(one[1])).slice(0, lists.rows)
      .map(([group, of]) => [group, ...(owners ? [(owners[group] || []).join('; ') || UNKNOWN] : []),
        ...status.tiers.map(tier => bytes(of[tier] || 0))]);
  show(name, paragraph('A block may be in several tiers.'), ...more(rows.length),
      table([title, ...(owners ? ['table and region'] : []), ...status.tiers], rows));
}

// Counters of a family that are not 0, as [constant, count, name].
const counted = (of, family) => Object.entries(status.figures[of])
    .filter(([name, value]) => name.startsWith(family) && name.endsWith('_total') && value)
    .map(([name, value]) => [name.slice(family.length, -'_total'.length).toUpperCase(), value, name]);

function showEvents() {
  show('moves', table(['direction', 'outcome', 'blocks', 'bytes'], Object.keys(status.figures)
      .filter(way => way.includes('_to_'))
      .flatMap(way => counted(way, 'moves_').map(([outcome, blocks]) => [way.replace('_to_', ' to '), outcome,
        count(blocks), outcome === 'MOVED' ? bytes(now(way, 'moved_bytes_total')) : '']))));
  show('events', table(['tier', 'event', 'reason', 'blocks'], status.tiers.flatMap(tier =>
    [['refused', 'refusals_'], ['evicted', 'evictions_']].flatMap(([what, family]) =>
      counted(tier, family).map(([why, blocks]) => [tier, what, why, count(blocks)])))));
  show('faults', table(['tier', 'fault', 'count', 'last'], status.tiers.flatMap(tier =>
    counted(tier, 'faults_').map(([kind, many, name]) => {
      const last = lists && lists.lastFaults[tier + ' ' + name];
      return [tier, kind, count(many), last ? time(last) : UNKNOWN];
    }))));
  show('start-line', 'At startup: ' + status.startLine);
}

// ---- Question ----

async function showAnswer(name) {
  id('why').value = name;
  const answer = await (await get('terrace?as=text&why=' + encodeURIComponent(name), 60)).text();
  const [sentences, ...tables] = answer.split(/\n\n+/);
  show('answer', ...sentences.split('\n').filter(text => text).map(text => paragraph(text)), ...tables.map(text => {
    const [titles, ...rows] = text.trim().split('\n').map(row => row.split(/ {2,}/));
    return table(titles, rows);
  }));
  id('answer').hidden = false;
}

// ---- Reading ----

async function get(address, limitSeconds) {
  const response = await fetch(address, {cache: 'no-store', signal: AbortSignal.timeout(1000 * limitSeconds)});
  if (!response.ok) {
    throw new Error('HTTP status ' + response.status);
  }
  return response;
}

async function read() {
  // Whoever marks a text wants to copy it.
  if (!status || getSelection().isCollapsed) {
    try {
      status = await (await get('terrace/status.json', 10)).json();
      showVerdict();
      showTraffic();
      showMisses();
      showEvents();
    } catch (problem) {
      showFailure(problem);
    }
  }
  setTimeout(read, 2000);
}

async function readLists() {
  try {
    const rows = parameters.has('rows') ? '?rows=' + encodeURIComponent(parameters.get('rows')) : '';
    lists = await (await get('terrace/lists.json' + rows, 60)).json();
    showLines();
    showSizes();
    showLists();
    showEvents();
  } catch (problem) {
    show('sizes', paragraph('Could not read lists.json: ' + problem.message));
  }
  setTimeout(readLists, 30000);
}

read().then(readLists);
if (parameters.get('why')) {
  showAnswer(parameters.get('why')).catch(problem => {
    id('answer').hidden = false;
    show('answer', paragraph('No answer: ' + problem.message));
  });
}
