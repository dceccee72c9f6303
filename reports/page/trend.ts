/** How the target came along over its last runs. */
import type { Conformance } from '../../contracts/record.ts';
import { type Html, html } from './html.ts';

/** One run of the history of a target. */
export interface PastRun {
  startedAt: string;
  target: Pick<Conformance['target'], 'version'>;
  summary: Pick<Conformance['summary'], 'verdict' | 'must'>;
}

const [BAR, HEIGHT] = [18, 64];

/** One bar a run, oldest first: what passed, failed and was not seen of the musts in scope. */
export function trend(history: readonly PastRun[]): Html | false {
  if (history.length < 2) return false;
  const runs = history.slice(-30);
  const bars = runs.map(({ summary: { must } }, index) => {
    const parts = [
      ['failed', must.failed + must.knownFailed],
      ['skipped', must.skipped + must.inconclusive + must.blocked],
      ['passed', must.passed],
    ] as const;
    const total = parts.reduce((sum, [, number]) => sum + number, 0) || 1;
    let y = 0;
    return parts.map(([name, number]) => {
      const height = number === 0 ? 0 : Math.max(2, (number / total) * HEIGHT);
      y += height;
      return (
        height > 0 &&
        html`<rect class="${name}" x="${index * BAR}" y="${(y - height).toFixed(1)}" width="${BAR - 4}" height="${height.toFixed(1)}"/>`
      );
    });
  });
  const rows = runs
    .toReversed()
    .map(
      ({ startedAt, target, summary: { verdict, must } }) =>
        html`<tr><td>${startedAt.slice(0, 16).replace('T', ' ')}</td><td>${target.version}</td><td>${verdict}</td><td class="number">${must.passed}</td><td class="number">${must.failed}</td><td class="number">${must.knownFailed}</td><td class="number">${must.skipped + must.inconclusive + must.blocked}</td></tr>`,
    );
  return html`<section id="trend" aria-labelledby="trend-title"><h2 id="trend-title">Trend</h2><figure><svg class="trend" viewBox="0 0 ${runs.length * BAR} ${HEIGHT}" width="${runs.length * BAR}" height="${HEIGHT}" role="img" aria-label="The last ${runs.length} runs, oldest first; the table has the numbers">${bars}</svg><figcaption>The last ${runs.length} runs, oldest first: failed on top, then not seen, then passed must requirements.</figcaption></figure><details class="row"><summary>The numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Earlier runs"><table><thead><tr><th>Run</th><th>Version</th><th>Verdict</th><th class="number">Passed</th><th class="number">Failed</th><th class="number">Known</th><th class="number">Not seen</th></tr></thead><tbody>${rows}</tbody></table></div></details></section>`;
}
