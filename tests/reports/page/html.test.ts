import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeText, html } from '../../../reports/page/html.ts';
import { anyText } from '../any-text.ts';

test('text can open no element, close no attribute and hide nothing', () => {
  const unsafe = /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)|(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u;
  fc.assert(fc.property(anyText, (text) => !unsafe.test(escapeText(text))));
  expect(escapeText('\u001b[31m\u202e\ud800')).toBe('\\u001b[31m\\u202e\\ud800');
});

test('values are escaped, markup and lists of it are not', () => {
  const items = ['<b>', 2].map((item) => html`<li>${item}</li>`);
  const markup = html`<ul title="${'"'}">${items}${false}${null}${undefined}</ul>`;
  expect(String(markup)).toBe('<ul title="&quot;"><li>&lt;b&gt;</li><li>2</li></ul>');
});
