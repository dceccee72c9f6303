/** The frame of a small page that reads without scripts, in light and dark, in print and on a phone. */
import { createHash } from 'node:crypto';
import { type Html, html, trusted } from './page/html.ts';

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fff, #15181c); --line: light-dark(#c8ccd2, #454b54); --soft: light-dark(#f3f4f6, #22262c);
  --good: light-dark(#116329, #6fdd8b); --bad: light-dark(#b3151f, #ff8f88); --warn: light-dark(#7d4e00, #e9b949); }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 1rem;
  background: var(--paper); color: light-dark(#1b1f24, #e6e8eb); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top;
  min-width: 3.5rem; max-width: 40rem; overflow-wrap: break-word; }
thead th, tr.group > * { background: var(--soft); }
th { font-weight: 600; } tbody th { font-weight: 400; }
tr > :first-child { position: sticky; left: 0; min-width: min(18rem, 40vw); background: var(--paper); }
thead th:first-child, tr.group > :first-child { background: var(--soft); }
td + td { min-width: 7rem; }
code { font-size: 0.9em; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
.passed { color: var(--good); } .failed, .known { color: var(--bad); }
.advice, .blocked, .inconclusive { color: var(--warn); }
.id { display: block; opacity: 0.8; overflow-wrap: anywhere; }
@media print { .scroll { overflow: visible; } body { max-width: none; } thead { display: table-header-group; } }
`;

/** A page's own style and script: files of this project, never recorded text. */
export interface OwnAssets {
  style?: string;
  script?: string;
}

/** A whole page. It loads nothing, and its policy allows only its own script. */
export function plainPage(title: string, body: Html, { style = '', script }: OwnAssets = {}): string {
  const policy =
    script === undefined ? '' : `; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${trusted(policy)}">
<title>${title}</title>
<style>${trusted(STYLE)}${trusted(style)}</style>
</head>
<body>
<main>
${body}
</main>${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`.toString();
}
