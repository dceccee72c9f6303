/** Latency by operation: median, 95th percentile and maximum on one logarithmic scale. */
import { quantile } from './gathered.ts';
import { type Html, html } from './html.ts';

const WIDTH = 300;

export function latencyTable(latencies: ReadonlyMap<string, number[]>): Html {
  if (latencies.size === 0) return html`<p>No answer came in this run.</p>`;
  const rows = [...latencies].map(([operation, durations]) => ({
    operation,
    count: durations.length,
    median: quantile(durations, 0.5)!,
    p95: quantile(durations, 0.95)!,
    max: quantile(durations, 1)!,
  }));
  const most = Math.max(10, ...rows.map(({ max }) => max));
  const x = (ms: number) => Math.round((Math.log10(Math.max(1, ms)) / Math.log10(most)) * (WIDTH - 12) + 6);
  const plot = ({ median, p95, max }: (typeof rows)[number]) =>
    html`<svg class="plot" viewBox="0 0 ${WIDTH} 16" aria-hidden="true" preserveAspectRatio="none"><path class="rule" d="M0 8H${WIDTH}"/><path class="range" d="M${x(median)} 8H${x(p95)}"/><path class="tail" d="M${x(p95)} 8H${x(max)}"/><circle cx="${x(median)}" cy="8" r="4"/><path class="tick" d="M${x(p95)} 3V13M${x(max)} 5V11"/></svg>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Latency by operation"><table class="latency"><thead><tr><th>Operation</th><th class="number">Answers</th><th class="number">Median</th><th class="number">95 %</th><th class="number">Max</th><th class="wide">1 ms to ${ms(most)}, logarithmic</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row"><code>${row.operation}</code></th><td class="number">${row.count}</td><td class="number">${ms(row.median)}</td><td class="number">${ms(row.p95)}</td><td class="number">${ms(row.max)}</td><td class="wide">${plot(row)}</td></tr>`,
  )}</tbody></table></div><p class="note">Dot: median. Bar: up to the 95th percentile. Thin line: up to the maximum. Retries and waiting are left out.</p>`;
}

const ms = (value: number): string => (value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`);
