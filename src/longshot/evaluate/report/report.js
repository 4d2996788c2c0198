// Fills the page from the data inside it. Text goes in as text, never as markup.
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const unique = (list) => [...new Set(list)];
  const sizes = unique(data.results.map((result) => result.size));
  const levels = unique(data.results.map((result) => result.noise));
  const methods = unique(data.results.map((result) => result.method));
  for (const result of data.results) result.index = methods.indexOf(result.method);
  const shown = data.results.filter((result) => result.noise === levels[0]);
  const findings = data.findings.filter((finding) => finding.noise === levels[0]);

  function element(name, properties = {}, ...children) {
    const { style, ...others } = properties;
    const made = Object.assign(document.createElement(name), others);
    for (const [key, value] of Object.entries(style || {})) made.style.setProperty(key, value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  const swatch = (method) => element('span', {
    className: 'swatch', style: { background: `var(--c${methods.indexOf(method) % 8})` } });
  // Halves go to the even digit, as the program prints them.
  function fixed(value) {
    if (value === null || value === undefined) return '\u2013';
    const tenths = value * 10;
    const down = Math.floor(tenths);
    const half = tenths - down === 0.5;
    return ((half ? down + (down % 2) : Math.round(tenths)) / 10).toFixed(1);
  }
  const probability = (p) => (p < 0.001 ? '< 0.001' : p.toFixed(3));
  const picture = (uri, alt, pixelated) => element('img', { src: uri, alt, className: pixelated ? 'pixelated' : '' });
  const time = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toPrecision(2));
  const degrees = (value) => `${Math.round(value)}\u00b0`.replace('-', '\u2212');

  function fillHeader() {
    const first = data.results[0];
    at('title').textContent = `Protocol ${data.protocol} on ${data.data}`;
    at('subtitle').textContent = [
      data.date, `${first.gallery} people enrolled`, `${first.probes} probes`,
      `${methods.length} method${methods.length === 1 ? '' : 's'}`,
      data.draws > 1 ? `${data.draws} draws` : null,
    ].filter(Boolean).join(' \u00b7 ');
    for (const finding of findings) {
      at('tiles').append(element('div', { className: 'tile' },
        element('small', {}, `best rank one at ${finding.size}`),
        element('b', {}, `${fixed(finding.rank1)} %`),
        element('small', {}, swatch(finding.best), ` ${finding.best}`)));
      at('sentences').append(element('li', {}, finding.sentence));
    }
  }

  function fillLegend() {
    methods.forEach((method, index) => {
      const button = element('button', { type: 'button' }, swatch(method), method);
      button.setAttribute('aria-pressed', 'true');
      button.addEventListener('click', () => {
        const visible = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(visible));
        reportCharts.show(index, visible);
      });
      at('methods').append(button);
    });
  }

  function fillExamples() {
    at('examples-section').hidden = data.examples.length === 0;
    for (const example of data.examples) {
      const face = (uri, label, pixelated) => element('div', {},
        picture(uri, `${label} of ${example.subject}`, pixelated), element('span', {}, label));
      at('examples').append(element('figure', { className: 'strip' },
        element('div', { className: 'faces' },
          face(example.gallery, 'enrolled', false), face(example.probe, 'probe', false),
          ...example.low.map((low) => face(low.picture, low.size, true)))));
    }
  }

  function headings(table, names, left) {
    const row = element('tr');
    names.forEach((name, column) => row.append(
      element('th', { className: column < left ? 'left' : '', scope: 'col' }, name)));
    table.append(element('thead', {}, row));
    const body = element('tbody');
    table.append(body);
    return body;
  }

  function fillResults(table, results, withNoise) {
    const spread = data.draws > 1 ? 'rank one, % \u00b1 std' : 'rank one, %';
    const names = ['size', withNoise ? 'noise' : null, 'method', spread, '95 % interval',
                   'DIR at FPIR 1 %', 'DIR at FPIR 10 %', 'EER, %', 'enrol, ms', 'identify, ms'];
    const body = headings(table, names.filter(Boolean), withNoise ? 3 : 2);
    let before = '';
    for (const result of results) {
      const group = `${result.size} ${result.noise}`;
      const best = data.findings.some((finding) => finding.size === result.size &&
        finding.noise === result.noise && finding.rank1 === result.rank1);
      const cell = (text, className = '') => element('td', { className }, text);
      body.append(element('tr', { className: `${group !== before ? 'first' : ''} ${best ? 'best' : ''}` },
        cell(group !== before ? result.size : '', 'left group'),
        withNoise ? cell(group !== before ? String(result.noise) : '', 'left') : null,
        element('td', { className: 'left' }, swatch(result.method), result.method, best ? ' \u2605' : ''),
        cell(fixed(result.rank1) + (data.draws > 1 ? ` \u00b1 ${fixed(result.rank1_std)}` : '')),
        cell(`${fixed(result.rank1_interval[0])} \u2013 ${fixed(result.rank1_interval[1])}`, 'range'),
        cell(fixed(result.dir_at_fpir['0.01'])), cell(fixed(result.dir_at_fpir['0.1'])), cell(fixed(result.eer)),
        cell(time(result.enroll_ms_per_person)), cell(time(result.identify_ms_per_probe))));
      before = group;
    }
  }

  function fillTables() {
    fillResults(at('results'), shown, false);
    const noisy = levels[0] > 0 ? ` Noise of the probes: ${levels[0]} grey levels of 255.` : '';
    at('results-note').textContent = '\u2605 best rank one at a size. Interval: Wilson, over all probes. ' +
      'DIR: enrolled people found first and accepted while that part of strangers is accepted ' +
      '(half of the people are left out for it). EER: equal error rate of one-to-one comparison. ' +
      `Enrol: per person, relighting included; identify: per probe against the whole gallery.${noisy}`;
    at('all-results-section').hidden = levels.length < 2;
    if (levels.length > 1) fillResults(at('all-results'), data.results, true);

    const body = headings(at('comparisons'), ['size', 'best', 'against', 'difference, points',
      'only best right', 'only other right', 'p', 'p adjusted', 'significant'], 3);
    for (const finding of findings) {
      finding.others.forEach((other, index) => {
        const cell = (text, className = '') => element('td', { className }, text);
        body.append(element('tr', { className: index === 0 ? 'first' : '' },
          cell(index === 0 ? finding.size : '', 'left group'),
          element('td', { className: 'left' }, index === 0 ? swatch(finding.best) : null, index === 0 ? finding.best : ''),
          element('td', { className: 'left' }, swatch(other.method), other.method),
          cell(fixed(finding.rank1 - other.rank1)), cell(String(other.only_best)), cell(String(other.only_other)),
          cell(probability(other.p)), cell(probability(other.adjusted)),
          cell(other.significant ? 'yes' : 'no', other.significant ? 'yes' : '')));
      });
    }
    at('comparisons').closest('section').hidden = methods.length < 2;
  }

  function chart(into, caption, label) {
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${label}, ${caption}`);
    at(into).append(element('figure', { className: 'chart' },
      element('figcaption', {}, caption), element('div', { className: 'canvas' }, canvas)));
    return canvas;
  }

  function drawCharts() {
    const find = (size, method, level) => data.results.find((result) =>
      result.size === size && result.method === method && result.noise === level) || null;
    reportCharts.bars(at('bars'), sizes, methods.map((name, index) => (
      { name, index, results: sizes.map((size) => find(size, name, levels[0])) })));
    at('noise-section').hidden = levels.length < 2;
    for (const size of sizes) {
      const results = shown.filter((result) => result.size === size);
      reportCharts.matches(chart('cmc', `CMC at ${size}`, 'Cumulative match curves'), results);
      reportCharts.roc(chart('verification', `ROC at ${size}`, 'Receiver operating curves'), results);
      reportCharts.det(chart('verification', `DET at ${size}`, 'Detection error trade-off'), results);
      if (levels.length > 1) {
        reportCharts.noise(chart('noise', `Noise at ${size}`, 'Rank one against noise'),
          methods.map((name, index) => ({
            name, index, points: levels.map((level) => ({ x: level, y: find(size, name, level).rank1 })) })));
      }
    }
  }

  function fillRelighting() {
    at('relighting-section').hidden = data.relighting.length === 0;
    for (const face of data.relighting) {
      const columns = face.rows[0].pictures.length;
      const grid = element('div', { className: 'faces-grid',
        style: { 'grid-template-columns': `max-content repeat(${columns}, 1fr)` } });
      const heads = ['photo', 'albedo', ...face.lights.map(([az, el]) => `${degrees(az)}, ${degrees(el)}`)];
      for (const row of face.rows) {
        grid.append(element('div', { className: 'row' }, row.label));
        row.pictures.forEach((uri, column) => grid.append(
          picture(uri, `${face.subject}, ${heads[column]}, ${row.label}`, row.pixelated)));
      }
      grid.append(element('div'), ...heads.map((head) => element('div', {}, head)));
      at('relighting').append(
        element('h3', {}, `${face.subject} \u2014 light of the photo estimated at azimuth ` +
          `${degrees(face.azimuth)}, elevation ${degrees(face.elevation)}`),
        element('div', { className: 'scroll' }, grid));
    }
  }

  function fillConfusions() {
    at('confusions-section').hidden = data.confusions.every((group) => group.list.length === 0);
    for (const group of data.confusions) {
      at('confusions').append(element('h3', {}, `${group.method} at ${group.size}` +
        (group.list.length === 0 ? ': none, every probe was ranked right' : '')));
      const cards = element('div', { className: 'cards' });
      for (const one of group.list) {
        const face = (title, uri, name, pixelated) => element('div', {},
          element('b', {}, title), picture(uri, `${title}: ${name}`, pixelated), element('span', {}, name));
        cards.append(element('div', { className: 'card' },
          element('div', { className: 'trio' },
            face('probe', one.probe_picture, one.condition || group.size, true),
            face('true', one.true_picture, one.subject, false),
            face('chosen', one.chosen_picture, one.chosen, false)),
          element('p', {}, `the true person is farther by ${one.margin.toPrecision(3)}`)));
      }
      at('confusions').append(cards);
    }
  }

  function fillEnd() {
    at('command').textContent = data.command;
    for (const [name, value] of data.configuration) {
      at('configuration').append(element('dt', {}, name), element('dd', {}, value));
    }
    at('rejections-section').hidden = data.rejected === 0;
    if (data.rejected > 0) {
      at('rejections-lead').textContent = `${data.rejected} of the inputs could not be used` +
        (data.rejected > data.rejections.length ? `; the first ${data.rejections.length}:` : ':');
      const body = headings(at('rejections'), ['input', 'reason'], 2);
      for (const [path, reason] of data.rejections) {
        body.append(element('tr', {}, element('td', { className: 'left wrap' }, path),
          element('td', { className: 'left wrap' }, reason)));
      }
    }
    at('colophon').textContent = `Written ${data.date}. Charts by Chart.js (MIT licence), inside this file.`;
  }

  document.documentElement.style.setProperty('--shape', data.shape);
  fillHeader();
  fillLegend();
  fillExamples();
  fillTables();
  drawCharts();
  fillRelighting();
  fillConfusions();
  fillEnd();
  window.addEventListener('beforeprint', () => { at('all-results-section').open = true; });
})();
