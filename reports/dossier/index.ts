/**
 * The dossier of a run: one file for somebody who has never seen the suite, to be read on a screen or on paper: a page of verdict
 * and scope, a page for each cause, a page of what was not seen, what changed, and the appendix.
 */
import { readFileSync } from 'node:fs';
import { targetInWords } from '../headline.ts';
import { type Html, html } from '../page/html.ts';
import { plainPage } from '../plain-page.ts';
import type { RunRecord } from '../record.ts';
import { Reproductions } from '../reproductions.ts';
import { viewOf } from '../view.ts';
import { appendixPage } from './appendix.ts';
import { causePages } from './causes.ts';
import { compareWith, type Since } from './changes.ts';
import type { Digests } from './digests.ts';
import { firstPage } from './first-page.ts';
import { DIRECTORY, embedded, withoutLocalPaths } from './portable.ts';

/**
 * The whole file. It loads nothing, holds no path of this machine, and holds the record that a later dossier is compared with.
 * @param since the earlier dossier, run or baseline that it says the changes of
 * @throws RecordError when exchanges of the run cannot be read
 */
export function dossier(record: RunRecord, digests: Digests, since?: Since): string {
  const conformance = withoutLocalPaths(record.conformance, record.path);
  const view = viewOf(conformance, {
    exchanges: record.exchanges(),
    targetChanges: record.changes(),
    directory: DIRECTORY,
  });
  const reproductions = new Reproductions(view, record.exchanges());
  const changes = compareWith(since, { ...record, conformance }, view);
  const title = `Conformance dossier: ${targetInWords(conformance)}`;
  const body: Html = html`${firstPage(view, changes)}${causePages(view, reproductions)}${appendixPage(view, changes, digests)}${embedded(conformance)}`;
  return plainPage(title, body, { style: style() });
}

const style = (): string => readFileSync(new URL('dossier.css', import.meta.url), 'utf8');
