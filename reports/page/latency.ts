/** Latency by operation: median, 95th percentile and maximum on a common logarithmic scale. */
import type { Latency } from '../latency.ts';
import { type Html, html } from './html.ts';

const WIDTH = 300;

/** The table. @param latency in milliseconds, by operation */
export function latencyTable(latency: ReadonlyMap<string, Latency>): Html {
  if (latency.size === 0) return html`<p>No answer came in this run.</p>`;
  const most = Math.max(10, ...[...latency.values()].map(({ maximum }) => maximum));
  const x = (ms: number) => Math.round((Math.log10(Math.max(1, ms)) / Math.log10(most)) * (WIDTH - 12) + 6);
  const plot = ({ median, p95, maximum }: Latency) =>
    html`<svg class="plot" viewBox="0 0 ${WIDTH} 16" aria-hidden="true" preserveAspectRatio="none"><path class="rule" d="M0 8H${WIDTH}"/><path class="range" d="M${x(median)} 8H${x(p95)}"/><path class="tail" d="M${x(p95)} 8H${x(maximum)}"/><path class="dot" d="M${x(median)} 8h0"/><path class="tick" d="M${x(p95)} 3V13M${x(maximum)} 5V11"/></svg>`;
  const row = ([operation, one]: [string, Latency]) =>
    html`<tr><th scope="row"><code>${operation}</code></th><td class="number">${one.samples}</td><td class="number">${ms(one.median)}</td><td class="number">${ms(one.p95)}</td><td class="number">${ms(one.maximum)}</td><td class="wide">${plot(one)}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Latency by operation"><table class="latency"><thead><tr><th scope="col">Operation</th><th scope="col" class="number">Answers</th><th scope="col" class="number">Median</th><th scope="col" class="number">95th</th><th scope="col" class="number">Max</th><th scope="col" class="wide">1 ms to ${ms(most)}, logarithmic</th></tr></thead><tbody>${[...latency].map(row)}</tbody></table></div><p class="note">Dot: median. Bar: up to the 95th percentile. Thin line: up to the maximum. Retries and waiting are left out.</p>`;
}

const ms = (value: number): string => (value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`);
