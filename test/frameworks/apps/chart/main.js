import { Chart, registerables } from 'chart.js';

/** Sales of a year as a chart on a canvas: kinds, ranges and series that can be switched, and figures below it. */
Chart.register(...registerables);
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const series = {
  Bread: [31, 28, 35, 40, 42, 39, 30, 29, 36, 41, 45, 52],
  Cake: [12, 14, 18, 22, 25, 28, 26, 24, 20, 18, 22, 38],
  Coffee: [44, 41, 39, 36, 33, 30, 28, 29, 35, 40, 43, 47],
};
const state = { kind: 'bar', from: 0, to: 11, hidden: new Set(['Coffee']), picked: null };

document.getElementById('root').innerHTML = `
  <h1>Sales</h1>
  <label>Kind <select id="kind"><option>bar</option><option>line</option><option>radar</option></select></label>
  <button data-range="0-11">Whole year</button>
  <button data-range="0-5">First half</button>
  <button data-range="6-11">Second half</button>
  <fieldset><legend>Series</legend>
    ${Object.keys(series)
      .map(name => `<label><input type="checkbox" name="${name}"> ${name}</label>`)
      .join('')}
  </fieldset>
  <div style="width: 480px; height: 240px"><canvas id="chart" role="img" aria-label="Chart of sales"></canvas></div>
  <table><tbody id="figures"></tbody></table>
  <p role="status" id="out">Nothing chosen</p>
  <button id="bump">Sell ten breads more in May</button>`;
const canvas = document.getElementById('chart');
let chart = null;

function shown(name) {
  return series[name].slice(state.from, state.to + 1);
}

function draw() {
  const data = {
    labels: months.slice(state.from, state.to + 1),
    datasets: Object.keys(series)
      .filter(name => !state.hidden.has(name))
      .map(name => ({ label: name, data: shown(name) })),
  };
  if (chart !== null && chart.config.type === state.kind) {
    chart.data = data;
    chart.update();
  } else {
    chart?.destroy();
    chart = new Chart(canvas, {
      type: state.kind,
      data,
      options: {
        responsive: false,
        animation: { duration: 200 },
        onClick(_, [element]) {
          if (element === undefined) return;
          state.picked = `${data.datasets[element.datasetIndex]?.label} in ${data.labels[element.index]}`;
          tell();
        },
      },
    });
  }
  tell();
}

function tell() {
  for (const box of document.querySelectorAll('[type=checkbox]')) box.checked = !state.hidden.has(box.name);
  document.getElementById('figures').innerHTML = Object.keys(series)
    .filter(name => !state.hidden.has(name))
    .map(name => `<tr><th scope="row">${name}</th><td>${shown(name).reduce((sum, value) => sum + value, 0)}</td></tr>`)
    .join('');
  document.getElementById('out').textContent = state.picked ?? 'Nothing chosen';
}

document.getElementById('root').addEventListener('change', ({ target }) => {
  if (target.id === 'kind') state.kind = target.value;
  else if (target.checked) state.hidden.delete(target.name);
  else state.hidden.add(target.name);
  draw();
});
document.getElementById('root').addEventListener('click', ({ target }) => {
  if (target.dataset.range !== undefined) [state.from, state.to] = target.dataset.range.split('-').map(Number);
  else if (target.id === 'bump') series.Bread[4] += 10;
  else return;
  draw();
});
draw();
