/** Whether a secret stands in a text, in any form in which it may get there. */

/** Pieces of a secret that are as long give it away as well. */
const PIECE = 16;

/** A secret that must not be found, by a name for the one who reads the failure. */
export interface Canary {
  name: string;
  value: string;
}

/** Names of the canaries that the text holds, with the form that was found and what is around it. */
export function canariesIn(text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ name, value }) => {
    const found = formsOf(value).find(([, form]) => holds(text, form));
    if (!found) return [];
    const at = text.indexOf(found[1]);
    return [`${name} (${found[0]}): …${text.slice(Math.max(0, at - 150), at + found[1].length + 60)}…`];
  });
}

/** Digits count only as a whole number. */
function holds(text: string, form: string): boolean {
  return /^\d+$/.test(form) ? new RegExp(`(?<!\\d)${form}(?!\\d)`).test(text) : text.includes(form);
}

function formsOf(value: string): [string, string][] {
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const forms: [string, string][] = [
    ['as it is', value],
    ['percent-encoded', percent],
    ['percent-encoded in lower case', percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['percent-encoded twice', encodeURIComponent(percent)],
    ['as in a form', new URLSearchParams([['', value]]).toString().slice(1)],
    ['in JSON', json],
    ['in JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['in HTML', html],
    // A short secret is known by the name before it, which base64 hides.
    ...(value.startsWith('"') ? [] : [0, 1, 2]).flatMap((before): [string, string][] => {
      const bytes = Buffer.from('x'.repeat(before) + value);
      const whole = bytes.subarray(before === 0 ? 0 : 3, Math.floor(bytes.length / 3) * 3);
      return [
        ['in base64', whole.toString('base64')],
        ['in base64url', whole.toString('base64url')],
      ];
    }),
  ];
  const pieces: [string, string][] = value.length >= 2 * PIECE ? [['its beginning', value.slice(0, PIECE)]] : [];
  return [...forms, ...pieces].filter(([, form]) => form.length >= Math.min(8, value.length));
}
