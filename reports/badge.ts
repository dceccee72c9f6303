/** The verdict of a run as a badge: as JSON for an endpoint badge of shields.io, and as SVG. */
import type { Conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { html } from './page/html.ts';
import { count, cut } from './text.ts';

/** https://shields.io/badges/endpoint-badge */
interface EndpointBadge {
  schemaVersion: 1;
  label: string;
  message: string;
  /** Hexadecimal digits: white text has the contrast of WCAG AA on it. */
  color: string;
  /** Whether shields shows it in red whatever its address says. */
  isError: boolean;
}

const COLOURS = { conformant: '156a38', partial: '6f5a00', incomplete: '535b64', nonconformant: 'b3211b' };
const LABEL_COLOUR = '3a4149';

/** What a badge says of a run. The embedded sandbox is named, so that nobody takes its badge for that of a target. */
export function badgeOf({ summary, target }: Pick<Conformance, 'summary' | 'target'>): EndpointBadge {
  const { verdict, partial, must } = summary;
  const failed = must.failed + must.knownFailed;
  const said = verdict === 'nonconformant' ? `${verdict}, ${failed} failed` : `${verdict}${partial ? ', partial' : ''}`;
  return {
    schemaVersion: 1,
    label: target.embedded ? 'conformance of the sandbox' : 'conformance',
    message: said,
    color: COLOURS[verdict === 'conformant' && partial ? 'partial' : verdict],
    isError: verdict === 'nonconformant',
  };
}

/** The badge as JSON for shields. */
export const badgeJson = (record: Conformance): string => `${writeFileJson(badgeOf(record), 1)}\n`;

/** Height and margin in pixels; width of a character of the font, which the text is stretched or narrowed to. */
const [HEIGHT, MARGIN, CHARACTER] = [20, 7, 6.4];
/** Characters of the target's name. */
const LONGEST = 80;

/** The badge as SVG, which loads nothing; its title names the target. */
export function badgeSvg(record: Conformance): string {
  const { label, message, color } = badgeOf(record);
  const { target, summary } = record;
  const title = `${cut(`${target.name} ${target.version}`.trim(), LONGEST)}: ${message}, ${count(summary.must.passed, 'must requirement')} passed`;
  const [left, right] = [label, message].map((text) => Math.round(text.length * CHARACTER) + 2 * MARGIN) as [
    number,
    number,
  ];
  const text = (words: string, x: number, width: number) =>
    html`<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}">${words}</text>`;
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${message}"><title>${title}</title><clipPath id="round"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#round)"><rect width="${left}" height="${HEIGHT}" fill="#${LABEL_COLOUR}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#${color}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, 0, left)}${text(message, left, right)}</g></svg>`}\n`;
}
