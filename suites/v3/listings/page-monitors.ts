/** What pages of customers show together, whoever followed them (reading 19): each comes by the continuation token of another. */
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradiction, kept, type Shown } from '../../../helpers/evidence/monitor.ts';
import { identifiersOf } from '../../shared/identifiers.ts';

const tokenOf = ({ input: { query } }: Answer) => (query?.token === undefined ? undefined : String(query.token));
const filtersOf = ({ input: { query = {} } }: Answer) =>
  Object.entries({ ...query, token: undefined, max: undefined })
    .toSorted()
    .join();

/** No customer of a page was on those before it. */
export function* repeatsNobody(history: readonly Answer[]): Generator<Shown> {
  const pages = history.filter((answer) => answer.operation.id === 'users.list' && succeeded(answer));
  const givers = Map.groupBy(pages, Searches.continuationOf);
  const givenBy = (page: Answer) =>
    givers
      .get(tokenOf(page))
      ?.findLast((one) => one !== page && one.answeredAt <= page.sentAt && filtersOf(one) === filtersOf(page));
  for (const page of pages) {
    // The last of them first.
    const before = new Set<Answer>();
    for (let one = tokenOf(page) && givenBy(page); one && !before.has(one); one = tokenOf(one) && givenBy(one))
      before.add(one);
    const pageOf = new Map([...before].flatMap((one) => identifiersOf(entries(one)).map((id) => [id, one] as const)));
    const found = identifiersOf(entries(page));
    const twice = found.find((id) => pageOf.has(id));
    const message = `the customer ${twice} is on two pages of one listing`;
    if (twice !== undefined) yield contradiction([pageOf.get(twice)!, page], message, 'nobody twice', twice);
    else if (found.length > 0 && pageOf.size > 0) yield kept([...[...before].toReversed(), page]);
  }
}
