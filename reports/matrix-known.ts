/** The known failures of several targets, by the date on which they are due. */
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { targetInWords } from './headline.ts';
import { type Html, html } from './page/html.ts';
import { cut } from './text.ts';

/** Characters of a reason. */
const LONGEST = 200;

type Known = RequirementResult & { known: NonNullable<RequirementResult['known']> };

/** The section, those that are due first on top and those without a date last; false where no target has any. */
export function knownFailures(targets: readonly { conformance: Conformance }[]): Html | false {
  const all = targets
    .flatMap(({ conformance }) => knownIn(conformance).map((requirement) => ({ conformance, requirement })))
    .toSorted((a, b) => (dueOf(a.requirement) < dueOf(b.requirement) ? -1 : 1));
  return (
    all.length > 0 &&
    html`<section aria-labelledby="known"><h2 id="known">Known failures, by the date when they are due</h2><div class="scroll" tabindex="0" role="region" aria-label="Known failures by date"><table class="known-failures"><thead><tr><th scope="col">Due</th><th scope="col">Target</th><th scope="col">Requirement</th><th scope="col">Why</th></tr></thead><tbody>${all.map(({ conformance, requirement }) => row(conformance, requirement))}</tbody></table></div></section>
`
  );
}

const knownIn = ({ requirements }: Conformance): Known[] =>
  requirements.filter((one): one is Known => one.inScope && one.known !== null);

/** What has no date sorts after every date. */
const dueOf = ({ known: { expires } }: Known): string => expires ?? '~';

const STATES = { known: '', stale: 'passes now: remove it', expired: 'past its date: counts as any failure' };

const row = (conformance: Conformance, { id, text, known: { expires, reason, link, state } }: Known): Html =>
  html`<tr><th scope="row">${expires ?? 'no date'}${state !== 'known' && html` <b class="failed">${STATES[state]}</b>`}</th><td>${cut(targetInWords(conformance), LONGEST)}</td><td>${text} <code>${id}</code></td><td>${cut(reason, LONGEST)} ${linkTo(link)}</td></tr>
`;

/** A link if browsers handle its scheme by themselves; otherwise text. */
const linkTo = (address: string | undefined): Html | false =>
  address !== undefined &&
  (/^https?:\/\//i.test(address) ? html`<a href="${address}" rel="noreferrer">${address}</a>` : html`${address}`);
