/** Look-ups of cards by their proxy that others made (readings 23 and 24). */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import { judged } from '../../../helpers/engine/monitor.ts';
import { contradiction, kept, type Monitor } from '../../../helpers/evidence/monitor.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { watch } from '../../declare.ts';
import { carries, isText, sameText } from '../../shared/identifiers.ts';

/** Look-ups by a proxy that others made. */
const lookUpsIn = (history: readonly Answer[]) =>
  history.filter(
    ({ operation: { id }, intent, input: { query } }) =>
      id === 'cards.get' && intent !== 'unauthorised' && query?.byProxy === true && query.byToken !== true,
  );

/** A look-up by a proxy without a parameter that it needs is refused. */
const needsBeside = (parameter: 'programIdentifier' | 'isDigital'): Monitor =>
  function* (history) {
    const lookUps = lookUpsIn(history);
    const whole = lookUps.find((one) => isWhole(one) && succeeded(one));
    for (const answer of lookUps.filter(({ input }) => input.query?.[parameter] === undefined))
      if (whole || succeeded(answer))
        yield judged(whole ? [whole, answer] : [answer], () => {
          expectRefused(answer, `a look-up by proxy without ${parameter}`);
        });
  };

const isWhole = ({ input: { query } }: Answer) =>
  query?.programIdentifier !== undefined && query.isDigital !== undefined;

watch({
  requirement: 'cards.get.by-proxy-needs-program',
  monitor: needsBeside('programIdentifier'),
  isSuspicion: false,
});
watch({ requirement: 'cards.get.by-proxy-needs-digital', monitor: needsBeside('isDigital'), isSuspicion: false });

/** A look-up finds the card with the proxy that it names. An earlier proxy may find the card, too: its own record decides. */
const findsItsProxy = (isDecided: boolean): Monitor =>
  function* (history) {
    const records = history.filter(
      ({ operation: { id }, input: { query } }) => id === 'cards.get' && query?.byProxy !== true,
    );
    for (const answer of lookUpsIn(history).filter(succeeded)) {
      const [asked, shown, card] = [answer.input.path!.identifier!, ...textsOf(answer)];
      if (shown === undefined || card === undefined) continue;
      if (sameText(shown, asked)) yield kept([answer]);
      const own = records.find((one) => succeeded(one) && carries(one, card) && textsOf(one)[0] !== undefined);
      const isOld = own !== undefined && sameText(textsOf(own)[0]!, shown);
      const isOther = own !== undefined && sameText(textsOf(own)[0]!, asked);
      if (sameText(shown, asked) || isOld || isOther !== isDecided) continue;
      const message = 'the look-up by proxy finds a card with another proxy';
      yield contradiction(own ? [own, answer] : [answer], message, asked, shown, '/proxyNumber');
    }
  };

/** The proxy and the identifier that a record shows. */
const textsOf = (record: Answer) =>
  [member(record, 'proxyNumber'), member(record, 'identifier')].map((value) => (isText(value) ? value : undefined));

for (const isDecided of [true, false])
  watch({ requirement: 'cards.get.by-proxy', monitor: findsItsProxy(isDecided), isSuspicion: !isDecided });
