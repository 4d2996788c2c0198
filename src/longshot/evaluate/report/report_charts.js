// Charts of the report. Colours come from the style sheet, so that light, dark and print agree.
'use strict';

const reportCharts = (() => {
  const charts = [];
  const shapes = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross', 'crossRot', 'dash'];
  const colours = 8;

  const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = (method) => variable(`--c${method % colours}`);
  // After eight methods the colours return, dashed.
  const dash = (method) => (method < colours ? [] : [6, 3]);

  // 95 % intervals on bars, which Chart.js does not draw itself.
  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const context = chart.ctx;
      context.save();
      context.strokeStyle = variable('--ink');
      context.lineWidth = 1.2;
      chart.data.datasets.forEach((set, index) => {
        if (!set.intervals || !chart.isDatasetVisible(index)) return;
        chart.getDatasetMeta(index).data.forEach((bar, at) => {
          if (!set.intervals[at]) return;
          const [low, high] = set.intervals[at].map((value) => chart.scales.y.getPixelForValue(value));
          const cap = Math.min(5, bar.width / 4);
          context.beginPath();
          context.moveTo(bar.x, low);
          context.lineTo(bar.x, high);
          for (const y of [low, high]) {
            context.moveTo(bar.x - cap, y);
            context.lineTo(bar.x + cap, y);
          }
          context.stroke();
        });
      });
      context.restore();
    },
  };

  // Functions, which Chart.js asks at every update, so that a change of scheme needs no more.
  const soft = () => variable('--soft');
  const own = (set) => (set.method === undefined ? variable('--soft') : colour(set.method));
  const axis = (title, more = {}) => ({
    ...more,
    title: { display: true, text: title, color: soft },
    grid: { color: () => variable('--grid'), borderColor: () => variable('--line'), ...more.grid },
    ticks: { maxRotation: 0, color: soft, ...more.ticks },
  });

  function add(canvas, type, datasets, scales, more = {}) {
    for (const set of datasets) {
      for (const part of ['borderColor', 'backgroundColor', 'pointBorderColor', 'pointBackgroundColor']) {
        set[part] = () => own(set);
      }
    }
    const chart = new Chart(canvas, {
      type,
      data: { labels: more.labels, datasets },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        devicePixelRatio: Math.max(2, window.devicePixelRatio || 1),
        normalized: true,
        interaction: { mode: more.mode || 'nearest', intersect: false },
        font: { family: 'system-ui, sans-serif' },
        plugins: {
          legend: { display: false },
          tooltip: { callbacks: more.tooltip || {}, filter: (item) => item.dataset.method !== undefined },
        },
        scales,
      },
      plugins: [whiskers],
    });
    charts.push(chart);
  }

  const line = (method, label, data, points) => ({
    method,
    label,
    data,
    borderWidth: 2,
    borderDash: dash(method),
    pointStyle: shapes[method % shapes.length],
    pointRadius: points ? 3 : 0,
    pointHitRadius: 6,
    clip: points ? 8 : 0,
  });

  // The lower end of an axis of rates, so that good methods do not all stick to the top.
  const floorOf = (values) => Math.max(0, Math.floor((Math.min(...values) - 3) / 10) * 10);
  const percent = (value) => `${value.toFixed(1)} %`;

  function bars(canvas, sizes, methods) {
    const datasets = methods.map(({ name, index, results }) => ({
      method: index,
      label: name,
      data: results.map((result) => result && result.rank1),
      intervals: results.map((result) => result && result.rank1_interval),
      categoryPercentage: 0.8,
      barPercentage: 0.9,
      maxBarThickness: 96,
      borderRadius: 3,
    }));
    add(canvas, 'bar', datasets, {
      x: axis('resolution of the probes, rows x columns', { grid: { display: false } }),
      y: axis('rank one, %', { min: 0, max: 100 }),
    }, {
      labels: sizes,
      tooltip: { label: (item) => ` ${item.dataset.label}: ${percent(item.parsed.y)}` },
    });
  }

  function matches(canvas, results) {
    const datasets = results.map((result) => line(result.index, result.method,
      result.cmc.map((rate, at) => ({ x: at + 1, y: rate })), true));
    const ranks = Math.max(...results.map((result) => result.cmc.length));
    add(canvas, 'line', datasets, {
      x: axis('rank k', {
        type: 'linear',
        min: 1,
        max: Math.max(2, ranks),
        afterBuildTicks: (built) => {
          built.ticks = Array.from({ length: ranks }, (_, rank) => ({ value: rank + 1 }))
            .filter(({ value }) => ranks < 10 || value === 1 || value % 5 === 0);
        },
      }),
      y: axis('identified within k, %', { min: floorOf(results.flatMap((result) => result.cmc)), max: 100 }),
    }, {
      mode: 'index',
      tooltip: {
        title: (items) => (items.length ? `rank ${items[0].parsed.x}` : ''),
        label: (item) => ` ${item.dataset.label}: ${percent(item.parsed.y)}`,
      },
    });
  }

  function noise(canvas, methods) {
    const datasets = methods.map(({ name, index, points }) => line(index, name, points, true));
    add(canvas, 'line', datasets, {
      x: axis('noise of the probes, grey levels of 255', {
        type: 'linear',
        afterBuildTicks: (built) => { built.ticks = methods[0].points.map(({ x }) => ({ value: x })); },
      }),
      y: axis('rank one, %', {
        min: floorOf(methods.flatMap(({ points }) => points.map((point) => point.y))), max: 100 }),
    }, {
      mode: 'index',
      tooltip: {
        title: (items) => (items.length ? `noise ${items[0].parsed.x}` : ''),
        label: (item) => ` ${item.dataset.label}: ${percent(item.parsed.y)}`,
      },
    });
  }

  const decades = (value) => {
    const power = Math.log10(value);
    return Math.abs(power - Math.round(power)) < 1e-9 ? String(value) : null;
  };

  function roc(canvas, results) {
    const datasets = results.map((result) => line(result.index, result.method,
      result.curve.roc.map(([x, y]) => ({ x, y })), false));
    const impostors = Math.max(...results.map((result) => result.curve.impostor));
    const lowest = 10 ** Math.floor(Math.log10(100 / Math.max(impostors, 10)) + 1e-9);
    add(canvas, 'line', datasets, {
      x: axis('false match rate, %', { type: 'logarithmic', min: lowest, max: 100, ticks: { callback: decades } }),
      y: axis('true match rate, %', { min: 0, max: 100 }),
    }, {
      tooltip: {
        title: () => '',
        label: (item) => ` ${item.dataset.label}: ${percent(item.parsed.y)} at FMR ${item.parsed.x.toPrecision(2)} %`,
      },
    });
  }

  // Standard normal deviates of the rates that label a DET axis.
  const deviates = [
    [0.01, -3.719], [0.1, -3.0902], [1, -2.3263], [5, -1.6449], [10, -1.2816], [20, -0.8416],
    [40, -0.2533], [60, 0.2533], [80, 0.8416], [90, 1.2816],
  ];
  const nearest = (value) => deviates.reduce((best, one) =>
    (Math.abs(one[1] - value) < Math.abs(best[1] - value) ? one : best));

  function det(canvas, results) {
    const datasets = results.map((result) => line(result.index, result.method,
      result.curve.det.map(([x, y]) => ({ x, y })), false));
    const range = { min: -3.2, max: 1.3 };
    datasets.push({ label: 'equal error', data: [{ x: range.min, y: range.min }, { x: range.max, y: range.max }],
                    borderWidth: 1, borderDash: [4, 4], pointRadius: 0, pointHitRadius: 0 });
    const scale = (title) => axis(title, {
      type: 'linear',
      ...range,
      afterBuildTicks: (built) => {
        built.ticks = deviates.filter(([, at]) => at >= range.min && at <= range.max).map(([, value]) => ({ value }));
      },
      ticks: { autoSkip: false, callback: (value) => String(nearest(value)[0]) },
    });
    add(canvas, 'line', datasets,
      { x: scale('false match rate, %'), y: scale('false non-match rate, %') },
      { tooltip: { title: () => '', label: (item) => ` ${item.dataset.label}` } });
  }

  function show(method, visible) {
    for (const chart of charts) {
      chart.data.datasets.forEach((set, index) => {
        if (set.method === method) chart.setDatasetVisibility(index, visible);
      });
      chart.update('none');
    }
  }

  const repaint = () => charts.forEach((chart) => chart.update('none'));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  // Paper is white and as wide as it is, whatever the screen shows.
  const reflow = () => charts.forEach((chart) => { chart.resize(); chart.update('none'); });
  window.addEventListener('beforeprint', reflow);
  window.matchMedia('print').addEventListener('change', reflow);
  window.addEventListener('afterprint', reflow);

  return { bars, matches, noise, roc, det, show };
})();
