/** The trend of a target: how many musts failed in each of the last nights, as a row of columns. */
import type { PastRun, TargetHistory } from '../history.ts';
import { count } from '../text.ts';
import { type Html, html } from './html.ts';

/** Number of nights, the latest ones. */
const NIGHTS = 30;
/** Number of nights that the words name. */
const NAMED = 5;
/** Width of a column and height of the drawing, in pixels. */
const [COLUMN, HEIGHT] = [5, 20];

/** The columns with their words; false with fewer than two nights. A night that was not complete is a hollow column. */
export function trend({ runs }: TargetHistory): Html | false {
  const nights = runs.slice(-NIGHTS);
  if (nights.length < 2) return false;
  const most = Math.max(1, ...nights.map(failedIn));
  const columns = nights.map((night, index) => {
    const height = failedIn(night) === 0 ? 2 : Math.max(4, (failedIn(night) / most) * HEIGHT);
    return html`<rect class="${night.summary.verdict}" x="${index * COLUMN}" y="${(HEIGHT - height).toFixed(1)}" width="${COLUMN - 1}" height="${height.toFixed(1)}"/>`;
  });
  const words = inWords(nights);
  return html`<svg class="trend" viewBox="0 0 ${nights.length * COLUMN} ${HEIGHT}" width="${nights.length * COLUMN}" height="${HEIGHT}" role="img" aria-label="${words}"><title>${words}</title>${columns}</svg> <span class="aside">${lastOf(nights)}</span>`;
}

const failedIn = ({ summary: { must } }: PastRun): number => must.failed + must.knownFailed;

const lastOf = (nights: readonly PastRun[]): string => nights.slice(-NAMED).map(failedIn).join(', ');

const inWords = (nights: readonly PastRun[]): string =>
  `failed musts in the last ${count(nights.length, 'night')}: at most ${Math.max(...nights.map(failedIn))}, lately ${lastOf(nights)}`;
