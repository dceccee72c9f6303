import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fixtureSecrets, fixtures } from '../../../contracts/fixtures.ts';
import { fixtureAt } from '../../../helpers/configuration/fixtures.ts';
import { parseFixtures } from '../../../helpers/configuration/fixtures-file.ts';
import { Invalid } from '../../../helpers/configuration/invalid.ts';
import { ROOT } from '../../tools/root.ts';

/** Reads a fixtures file. @param content its text, or what it holds */
const read = (content: string | object) =>
  parseFixtures(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));

function faultsOf(content: string | object): string[] {
  try {
    read(content);
  } catch (error) {
    if (error instanceof Invalid) return error.faults;
    throw error;
  }
  return [];
}

describe('a fixtures file', () => {
  test('may be empty, or name its schema for editors: every key is optional', () => {
    expect(read({})).toEqual({});
    expect(faultsOf({ $schema: './fixtures.json', users: {} })).toEqual([]);
  });

  test('keeps integers beyond 2^53 to the digit, in bodies too', () => {
    const program = '{"custProgId":-9007199254740995,"order":{"custProgId":9007199254740997}}';
    const { portal } = read(`{"portal":{"customerId":9007199254740993,"programs":{"personalized":${program}}}}`);
    expect(portal).toEqual({
      customerId: 9007199254740993n,
      programs: { personalized: { custProgId: -9007199254740995n, order: { custProgId: 9007199254740997n } } },
    });
  });

  test('takes a number with the fraction 0 for an integer', () => {
    expect(read('{"portal":{"customerId":17.0}}')).toEqual({ portal: { customerId: 17 } });
  });

  test('reads placeholders of a copied template as keys that are not given', () => {
    const template = {
      users: { customerIdentifier: '', parentIdentifier: 'p' },
      cards: { active: [], unused: [''], byProxy: { proxyNumber: '', isDigital: false, identifier: 'c' } },
      portal: {
        customerId: 0,
        programs: { personalized: 0, other: { custProgId: 5, order: {} }, loadOn: 7 },
        cip: { pass: {}, fail: { zip: 0, city: '' } },
        atm: { latitude: '', longitude: '' },
      },
    };
    expect(read(template)).toEqual({
      users: { parentIdentifier: 'p' },
      cards: { byProxy: { isDigital: false, identifier: 'c' } },
      portal: { programs: { other: { custProgId: 5 }, loadOn: 7 }, cip: { fail: { zip: 0, city: '' } } },
    });
  });

  test('sends whole bodies as they are', () => {
    const order = { anything: '', deep: { empty: {}, list: [0, ''] } };
    const portal = { programs: { digitalOn: { custProgId: 1, order } }, cip: { pass: { whim: [''] } } };
    expect(read({ portal })).toEqual({ portal });
  });

  const SAME = { firstName: 'hush', ssn: 123_456_789 };

  test('contradicts itself where keys that exclude each other name the same, or the least amount is above the most', () => {
    const contradicting = {
      users: { parentIdentifier: 'hush', childIdentifier: 'hush', unrelatedIdentifier: 'hush' },
      cards: { foreign: ['b', 'hush'], active: ['hush'], withRelated: 'b', transferAmounts: { least: 20, most: 10 } },
      portal: {
        programs: { digitalOn: { custProgId: 5 }, digitalOff: 5, loadOff: 5 },
        cip: { pass: SAME, partialQuestions: SAME },
      },
    };
    expect(faultsOf(contradicting)).toEqual([
      'users.unrelatedIdentifier and users.childIdentifier are the same',
      'users.childIdentifier and users.parentIdentifier are the same',
      'portal.programs.digitalOff and portal.programs.digitalOn are the same',
      'portal.cip.partialQuestions and portal.cip.pass are the same',
      'a card of cards.foreign and one of cards.active are the same',
      'a card of cards.foreign and one of cards.withRelated are the same',
      'cards.transferAmounts.least is more than cards.transferAmounts.most',
    ]);
    expect(faultsOf({ users: { childIdentifier: 'hush', foreignCustomerIdentifier: 'hush' } })).toEqual([
      'users.foreignCustomerIdentifier and users.childIdentifier are the same',
    ]);
  });

  test.each<[string, object]>([
    ['neither is ours', { users: { unrelatedIdentifier: 'a', foreignCustomerIdentifier: 'a' } }],
    ['both end in neither way', { portal: { cip: { partialDifferentiator: SAME, partialQuestions: SAME } } }],
    ['there is one amount', { cards: { transferAmounts: { least: 20, most: 20 } } }],
  ])('may name the same where %s', (_, content) => {
    expect(faultsOf(content)).toEqual([]);
  });

  test('names every fault with its key, and repeats no value', () => {
    const faults = faultsOf({
      user: {},
      users: { customerIdentifer: 'hush', parentIdentifier: 123456 },
      cards: { active: 'hush', byProxy: { isDigital: 'hush' }, disposable: ['a', 5] },
      portal: {
        customerId: 1.5,
        programs: { other: 'hush', loadOn: { custProgId: 1, orders: {} } },
        restrictedLogin: { loginID: 'hush', password: 771199, forbiddenOperation: 'hush' },
        cip: { pass: 'hush' },
      },
    });
    expect(faults).toEqual([
      'users.parentIdentifier: expected string',
      'unknown key users.customerIdentifer',
      'cards.active: expected array',
      'cards.disposable[1]: expected string',
      'cards.byProxy.isDigital: expected boolean',
      'portal.customerId: must be an integer',
      'portal.programs.other: must be an integer, or an object of custProgId (an integer) and optionally order (an object)',
      'unknown key portal.programs.loadOn.orders',
      'portal.cip.pass: expected record',
      'portal.restrictedLogin.password: expected string',
      expect.stringMatching(/^portal.restrictedLogin.forbiddenOperation: .*"getCustomerList"/),
      'unknown key user',
    ]);
    expect(faults.join()).not.toMatch(/hush|123456|771199/);
  });

  test.each(['', '{"portal":{"restrictedLogin":{"password":"hush"}'])('that is no JSON is one fault: %j', (text) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^the fixtures cannot be read: (?!.*hush)./)]);
  });

  test('that is no object is a fault', () => {
    expect(faultsOf('[]')).toEqual(['the whole value: expected object']);
  });

  test('with a key given twice is a fault: one of the two would be lost', () => {
    expect(faultsOf('{"cards":{"active":["a"],"active":["b"]}}')).toEqual(['key given twice: cards.active']);
  });

  test('cannot reach a prototype', () => {
    expect(faultsOf('{"__proto__":{"polluted":true}}')).toEqual(['unknown key __proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

test('the secrets of a fixtures file are the restricted login and every SSN, wherever it stands in a body', () => {
  const given = read({
    portal: {
      restrictedLogin: { loginID: 'limited', password: 'hunter2', forbiddenOperation: 'getCustomerList' },
      cip: { pass: { ssn: 123456789, ssnLast4: 6789, zip: 12345 }, fail: { ssn: 123456789 } },
      programs: { other: { custProgId: 4, order: { orderDetails: [{ ssn: '987654321' }] } }, loadOn: 8 },
    },
  });
  expect(fixtureSecrets(given)).toEqual(['limited', 'hunter2', '123456789', '6789', '987654321']);
});

/** Dotted keys of the fixtures file, down to what is a list or a body. */
function keysOf(schema: z.ZodType, path: string[] = []): string[] {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject)) return [path.join('.')];
  return Object.entries(inner.shape).flatMap(([name, of]) => keysOf(of as z.ZodType, [...path, name]));
}

// That a run with the example lacks nothing is in `whole-runs.test.ts`.
test('the example of a fixtures file and its page have every key', () => {
  const example = JSON.parse(readFileSync(join(ROOT, 'docs/fixtures.example.json'), 'utf8'));
  const page = readFileSync(join(ROOT, 'docs/fixtures.md'), 'utf8');
  expect(keysOf(fixtures).filter((key) => fixtureAt(example, key) === undefined)).toEqual([]);
  expect(keysOf(fixtures).filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
