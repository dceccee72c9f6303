/** Valid requests of other forms than the plain one: each of them needs a session, too (reading 34). */
import type { Input } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { attempt, values } from '../../../helpers/verdict.ts';
import { CIP, PERSON_FORMS, RULED, RULED_FORMS, requiredPerson } from '../cip/person.ts';
import { ORDER } from '../orders/base-orders.ts';
import type { Body } from '../orders/bodies.ts';
import { KIND_NAMES, type Kind, otherKinds } from '../orders/kinds.ts';
import { repetitions } from '../orders/repetitions.ts';
import { ATM, customersBelow, FLAGS, HIERARCHY, mayChange, PROGRAM_LIST, validRequests } from './valid-requests.ts';

/** A valid request of another form. */
export interface OtherForm {
  /** The form in words, for reports. */
  name: string;
  input: Input;
}

const queryOf = async (t: Context, id: string) => (await t.known(validRequests[id]!)).answer.input.query ?? {};

/** Requests of other forms by operation; empty where none is known or may be sent. */
export const otherForms: Readonly<Record<string, (t: Context) => Promise<OtherForm[]>>> = {
  async [HIERARCHY](t) {
    const [customerId] = await t.known(customersBelow);
    return customerId === undefined ? [] : [{ name: 'a customer below', input: { query: { customerId } } }];
  },
  async [PROGRAM_LIST](t) {
    const [query, [below]] = [await queryOf(t, PROGRAM_LIST), await t.known(customersBelow)];
    const flagged = FLAGS.slice(1).map(([showAutoCreated, showBranded]) => ({
      name: `programs with showAutoCreated=${showAutoCreated} and showBranded=${showBranded}`,
      input: { query: { ...query, showAutoCreated, showBranded } },
    }));
    const ofBelow = { name: 'programs of a customer below', input: { query: { ...query, customerId: below } } };
    return below === undefined ? flagged : [...flagged, ofBelow];
  },
  async [ATM](t) {
    const query = await queryOf(t, ATM);
    const pageOffset = Number(query.pageOffset) + 1;
    return [{ name: `cash machines from pageOffset ${pageOffset} on`, input: { query: { ...query, pageOffset } } }];
  },
  async [CIP](t) {
    if (!mayChange(t, CIP)) return [];
    const ofForm = async (form: (typeof RULED_FORMS)[number]) => ({
      name: `a person ${RULED[form]}`,
      input: { json: await PERSON_FORMS[form](t) },
    });
    const least = { name: 'a person without ssn', input: { json: await requiredPerson(t) } };
    return [least, ...(await Promise.all(RULED_FORMS.map(ofForm)))];
  },
  async [ORDER](t) {
    if (!mayChange(t, ORDER)) return [];
    const makers = Object.entries(await otherKinds(t)) as [Kind, (() => Body) | undefined][];
    const kinds = makers.flatMap(([kind, make]) => (make ? [{ name: KIND_NAMES[kind], input: { json: make() } }] : []));
    // A target may recognise the order and repeat its answer before it checks the session.
    const made = values([await attempt(() => t.known(repetitions))]);
    return [...kinds, ...made.map(({ first }) => ({ name: 'an order that was made before', input: first.input }))];
  },
};
