/** The frame of a small page that reads without scripts, in light and dark, in print and on a phone. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trusted } from './page/html.ts';

const STYLE = `
body { margin: 0 auto; max-width: 90rem; padding: 1.5rem 1.25rem 3rem; background: var(--paper); color: var(--ink); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 0.75rem; } h2 { font-size: 1.25rem; margin: 2rem 0 0.75rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { border: 0 solid var(--line); border-bottom-width: 1px; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top;
  min-width: 3.5rem; max-width: 40rem; overflow-wrap: break-word; }
thead th, tr.group > * { background: var(--panel); }
th { font-weight: 600; } tbody th { font-weight: 400; }
th > a:first-child { display: inline-block; min-height: 24px; align-content: center; }
tr > :first-child { position: sticky; left: 0; min-width: min(18rem, 40vw); background: var(--paper); }
thead th:first-child, tr.group > :first-child { background: var(--panel); }
td + td { min-width: 7rem; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
.passed { color: var(--passed); } .failed, .known { color: var(--failed); }
.advice, .blocked, .inconclusive { color: var(--inconclusive); }
.id { display: block; color: var(--soft); overflow-wrap: anywhere; }
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
<style>${trusted(readFileSync(new URL('palette.css', import.meta.url), 'utf8'))}${trusted(STYLE)}${trusted(style)}</style>
</head>
<body>
<main>
${body}
</main>${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`.toString();
}
