/** The words of the page that are not everyone's, explained where they are read. */
import { type Html, html } from './html.ts';

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['must, should', 'The document says it; only a failed must makes the target nonconformant. A should is advice.'],
  ['passed', 'Every check of the requirement passed, and at least one exchange shows it.'],
  ['inconclusive', 'It was tried, but the answers allowed no conclusion.'],
  ['blocked', 'It could not be tried: something before it failed, or the target was not there.'],
  ['skipped', 'It was not tried, by choice or for lack of something that the reason names.'],
  ['not applicable', 'What it presupposes never came about, such as an answer of 400. No fault of the target.'],
  ['partial', 'Something in scope was skipped or inconclusive.'],
  [
    'new, new to us',
    'Fails since the baseline by what both runs tried; by what the baseline did not try, which is not known to be new.',
  ],
  ['flaky', 'Failed, passed and failed again within five nights that tried the same at one version of the target.'],
  ['exchange', 'A request and its answer. The id, such as x00042, leads to it in exchanges.ndjson.'],
  ['tried again, control', 'What was suspected was sent again, alone, between requests that must be accepted.'],
  ['valid', 'Of a request: nothing is wrong with it, and it has to be accepted.'],
  ['refusable', 'Of a request: a target may accept or refuse it, but not answer with 500.'],
  ['unknown', 'Of a request: it names something that does not exist.'],
  ['foreign', 'Of a request: it names something that exists, and that these credentials must not reach.'],
  ['malformed', 'Of a request: it breaks the documented form on purpose.'],
  ['unauthorised', 'Of a request: it has no good token or session.'],
  ['settle time', 'How long an effect may take to show when it is read back (RUN_SETTLE_MS).'],
  ['CIP', 'The check of a person\u2019s identity, getCIPCheck; with a differentiator or questions if it is partial.'],
  ['VDE', 'Digital enablement by a card network: encrypt-for-vde encrypts the data of a card for its SDK.'],
  ['PIN, wallet', 'What setPin sets, and where markWalletProvisioned says that the card is.'],
  ['proxy number', 'An identifier of a card that is not its number; byProxy finds the card by it.'],
];

/** The words and their meanings. */
export const wordsSection = (): Html =>
  html`<section id="words" aria-labelledby="words-title"><h2 id="words-title">Words</h2><dl class="observed words">${WORDS.map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl></section>`;
