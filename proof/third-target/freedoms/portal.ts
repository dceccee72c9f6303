import type { Freedom } from '../core/changes.ts';
import { after, around, bodyOf, dayCounter, freedom } from '../core/changes.ts';
import type { Call, Fields, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

const LISTS = /^portal\.(getCustomerList|getCustomerHierarchy|getCustomerProgramList)$/;

const customers: Freedom[] = [
  freedom('ein-with-a-hyphen', 'An ein is written 12-3456789', [37], (world) => {
    const { portalCustomerView } = world.rules;
    world.rules.portalCustomerView = (customer) => ({
      ...portalCustomerView(customer),
      ein: `${customer.ein.slice(0, 2)}-${customer.ein.slice(2)}`,
    });
  }),
  freedom('customers-say-little', 'A customer has an id and a name', [5, 37], (world) => {
    world.rules.portalCustomerView = ({ portalId, name }) => ({ customerId: portalId, name });
  }),
  freedom('customers-say-more', 'A customer has a kind, tags, contacts, and no ein', [4, 37], (world) => {
    const { portalCustomerView } = world.rules;
    world.rules.portalCustomerView = (customer) => {
      const { ein, ...rest } = portalCustomerView(customer);
      return {
        kind: 'customer',
        tags: ['a'],
        contacts: [{ name: 'Desk' }],
        ...rest,
        accountMgrId: 9_007_199_254_740_000,
      };
    };
  }),
  freedom('hierarchy-parent-comes-last', 'The parent of a hierarchy comes last', [37], (world) => {
    const { hierarchy } = world.rules;
    world.rules.hierarchy = (call, customer) => hierarchy(call, customer).toReversed();
  }),
  freedom('lists-in-an-envelope', 'A list has a kind, an etag and a count', [4], (world) =>
    after(world, LISTS, (_call, answer) => {
      const { items } = answer.body as { items: Fields[] };
      return { status: 200, body: { kind: 'desk#list', etag: '"7"', count: items.length, items } };
    }),
  ),
  freedom('programs-of-both-sorts', 'showAutoCreated and showBranded add to what is shown', [40], (world) => {
    world.rules.programsShown = (customer, auto, branded) =>
      world.programs.filter(
        (program) => program.customer === customer && (auto || !program.autoCreated) && (branded || !program.branded),
      );
  }),
  freedom(
    'programs-of-the-customers-below',
    'The programs of the customers below are shown, under the one asked for',
    [40],
    (world) => {
      const { programsShown } = world.rules;
      world.rules.programsShown = (customer, auto, branded) =>
        world.customers
          .filter((other) => other === customer || other.parent === customer)
          .flatMap((other) => programsShown(other, auto, branded))
          .map((program) => ({ ...program, customer }));
    },
  ),
  freedom('programs-say-more', 'A program has fees, switches and a fundingId', [4], (world) => {
    const { programView } = world.rules;
    world.rules.programView = (program) => ({
      ...programView(program),
      fees: [{ card: 1.25 }],
      fundingId: 5,
      options: { digital: program.digital },
      launchDate: 'not yet',
    });
  }),
  freedom('programs-say-little', 'A program has its rowId, its name and its product', [5, 40], (world) => {
    world.rules.programView = ({ id, name, product }) => ({ rowId: id, productName: name, productType: product });
  }),
];

function reshape(world: World, operation: string, shape: (call: Call) => unknown): void {
  after(world, `portal.${operation}`, (call) => ({ status: 200, body: shape(call) }));
}

const lookUps: Freedom[] = [
  freedom('fee-types-as-array', 'Shipping fee types are an array', [45], (world) =>
    reshape(world, 'getShippingFeeTypes', () => [{ id: 1, label: 'Per order', fee: '4.50' }]),
  ),
  freedom('fee-types-as-text', 'Shipping fee types are one text', [45], (world) =>
    reshape(world, 'getShippingFeeTypes', () => 'perOrder'),
  ),
  freedom('machines-as-array', 'Cash machines are an array, empty where there is none', [45], (world) =>
    reshape(world, 'getATMLocation', ({ query }) =>
      Number(query.get('pageOffset')) > 0 ? [] : [{ address: '12 Mill Lane', miles: 0.4 }],
    ),
  ),
  freedom('machines-of-our-country', 'Cash machines are looked up between 25 and 49 degrees north', [46], (world) =>
    around(world, 'portal.getATMLocation', (call, next) => {
      const latitude = Number(call.query.get('latitude') || 39);
      if (latitude < 25 || latitude > 49) throw new Refusal(400, 'latitude', 'Outside of the map');
      return next();
    }),
  ),
  freedom('machines-ten-a-page', 'A page has ten cash machines at most; more is refused', [46], (world) =>
    around(world, 'portal.getATMLocation', (call, next) => {
      if (Number(call.query.get('pageLength')) > 10) throw new Refusal(400, 'pageLength', 'Ten at most');
      return next();
    }),
  ),
];

function cipLimit(world: World, most: number, key: (body: Fields) => unknown, status: number): void {
  const count = dayCounter(world);
  around(world, 'portal.getCIPCheck', (call, next) => {
    const body = bodyOf(call);
    const value = key(body);
    const sound = world.rules.cipProblem(body) === undefined;
    if (sound && value !== undefined && count(String(value)) > most)
      throw new Refusal(status, 'client', 'No more checks of this kind today');
    return next();
  });
}

const person = ({ firstName, lastName, dobYear }: Fields) => `${firstName}|${lastName}|${dobYear}`;

const checks: Freedom[] = [
  freedom('cip-six-a-person', 'A person is checked six times a day', [38, 46], (world) =>
    cipLimit(world, 6, person, 400),
  ),
  freedom('cip-fifteen-an-address', 'Fifteen checks a day for one address', [46, 47], (world) =>
    cipLimit(world, 15, ({ address, zip }) => `${address}|${zip}`, 403),
  ),
  freedom('cip-eight-an-ssn', 'Eight checks a day for one number', [46, 47], (world) =>
    cipLimit(world, 8, ({ ssn }) => ssn, 400),
  ),
  freedom('cip-forty-a-day', 'Forty checks a day in all', [46, 47], (world) => cipLimit(world, 40, () => 'all', 429)),
  freedom('cip-only-grown-ups', 'Who is younger than eighteen is not checked', [46], (world) => {
    const { cipProblem } = world.rules;
    world.rules.cipProblem = (body) =>
      cipProblem(body) ?? (Number(body.dobYear) > new Date(world.now()).getUTCFullYear() - 18 ? 'dobYear' : undefined);
  }),
  freedom(
    'cip-days-of-the-calendar',
    'A birthday is a day of the calendar: 30 February is refused',
    [39, 46],
    (world) => {
      const { cipProblem } = world.rules;
      world.rules.cipProblem = (body) => {
        const [year, month, day] = [Number(body.dobYear), Number(body.dobMonth), Number(body.dobDay)];
        const date = new Date(Date.UTC(year, month - 1, day));
        return cipProblem(body) ?? (date.getUTCDate() === day ? undefined : 'dobDay');
      };
    },
  ),
  freedom('cip-minus-one-for-fail', 'returnCode is -1 where nobody was found', [38], (world) => {
    const { cipAnswer } = world.rules;
    world.rules.cipAnswer = (found, body) => ({
      ...cipAnswer(found, body),
      returnCode: found && found.result !== 'Fail' ? 1 : -1,
    });
  }),
  freedom('cip-lists-absent', 'Lists that are null are left out', [4, 38], (world) => {
    const { cipAnswer } = world.rules;
    world.rules.cipAnswer = (found, body) => {
      const answer = cipAnswer(found, body);
      const data = Object.entries(answer.data as Fields).filter(([, value]) => value !== null);
      return { ...answer, data: Object.fromEntries(data) };
    };
  }),
  freedom('cip-both-lists-for-partial', 'A partial match brings both lists', [38], (world) => {
    const { cipAnswer } = world.rules;
    const questions = [{ question: 'Which of these is yours?', type: 'choice', Options: ['A', 'B'] }];
    world.rules.cipAnswer = (found, body) => {
      const answer = cipAnswer(found, body);
      if (found?.result !== 'Partial') return answer;
      const data = answer.data as Fields;
      const lists = {
        diffQuestionList: data.diffQuestionList ?? questions,
        questionList: data.questionList ?? questions,
      };
      return { ...answer, data: { ...data, ...lists } };
    };
  }),
  freedom('cip-unknown-people-pass', 'Whoever is not known passes', [39], (world) => {
    const { cipAnswer } = world.rules;
    world.rules.cipAnswer = (found, body) => {
      const answer = cipAnswer(found, body);
      return found ? answer : { ...answer, data: { ...(answer.data as Fields), summaryResult: 'Pass' } };
    };
  }),
];

export const portalFreedoms: Freedom[] = [...customers, ...lookUps, ...checks];
