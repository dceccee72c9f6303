import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fixtureSecrets, fixtures } from '../../../contracts/fixtures.ts';
import { parseFixtures as parseBytes } from '../../../helpers/configuration/fixtures-file.ts';
import { Invalid } from '../../../helpers/configuration/invalid.ts';

const parseFixtures = (text: string) => parseBytes(Buffer.from(text));

const faultsOf = (text: string): string[] => {
  try {
    parseFixtures(text);
  } catch (error) {
    if (error instanceof Invalid) return error.faults;
    throw error;
  }
  return [];
};

describe('a fixtures file', () => {
  test('may be empty: every key is optional', () => {
    expect(parseFixtures('{}')).toEqual({});
  });

  test('keeps integers beyond 2^53 to the digit, in bodies too', () => {
    const { portal } = parseFixtures(
      '{"portal":{"customerId":9007199254740993,"programs":{"personalized":{"custProgId":-9007199254740995,"order":{"custProgId":9007199254740997}}}}}',
    );
    expect(portal?.customerId).toBe(9007199254740993n);
    expect(portal?.programs?.personalized).toEqual({
      custProgId: -9007199254740995n,
      order: { custProgId: 9007199254740997n },
    });
  });

  test('takes a number with the fraction 0 for an integer', () => {
    expect(parseFixtures('{"portal":{"customerId":17.0}}')).toEqual({ portal: { customerId: 17 } });
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
    expect(parseFixtures(JSON.stringify(template))).toEqual({
      users: { parentIdentifier: 'p' },
      cards: { byProxy: { isDigital: false, identifier: 'c' } },
      portal: { programs: { other: { custProgId: 5 }, loadOn: 7 }, cip: { fail: { zip: 0, city: '' } } },
    });
  });

  test('sends whole bodies as they are', () => {
    const order = { anything: '', deep: { empty: {}, list: [0, ''] } };
    const text = JSON.stringify({
      portal: { programs: { digitalOn: { custProgId: 1, order } }, cip: { pass: { whim: [''] } } },
    });
    expect(parseFixtures(text)).toEqual(JSON.parse(text));
  });

  test('contradicts itself where keys that exclude each other name the same, or the least amount is above the most', () => {
    const contradicting = {
      users: { childIdentifier: 'hush', unrelatedIdentifier: 'hush', foreignCustomerIdentifier: 'hush' },
      portal: { programs: { digitalOn: { custProgId: 5 }, digitalOff: 5, loadOff: 5 } },
    };
    expect(faultsOf(JSON.stringify(contradicting))).toEqual([
      'users.unrelatedIdentifier and users.childIdentifier are the same',
      'users.foreignCustomerIdentifier and users.childIdentifier are the same',
      'portal.programs.digitalOff and portal.programs.digitalOn are the same',
    ]);
    expect(faultsOf('{"users":{"unrelatedIdentifier":"a","foreignCustomerIdentifier":"a"}}')).toEqual([]);
    expect(faultsOf('{"users":{"parentIdentifier":"hush","childIdentifier":"hush"}}')).toEqual([
      'users.childIdentifier and users.parentIdentifier are the same',
    ]);
    const [own, person] = [['hush', 'a'], { firstName: 'hush', ssn: 123_456_789 }];
    expect(faultsOf(JSON.stringify({ cards: { foreign: ['b', 'hush'], active: own, withRelated: 'b' } }))).toEqual([
      'a card of cards.foreign and one of cards.active are the same',
      'a card of cards.foreign and one of cards.withRelated are the same',
    ]);
    expect(faultsOf(JSON.stringify({ portal: { cip: { pass: person, partialQuestions: person } } }))).toEqual([
      'portal.cip.partialQuestions and portal.cip.pass are the same',
    ]);
    expect(
      faultsOf(JSON.stringify({ portal: { cip: { partialDifferentiator: person, partialQuestions: person } } })),
    ).toEqual([]);
    expect(faultsOf('{"cards":{"transferAmounts":{"least":20,"most":10}}}')).toEqual([
      'cards.transferAmounts.least is more than cards.transferAmounts.most',
    ]);
    expect(faultsOf('{"cards":{"transferAmounts":{"least":20,"most":20}}}')).toEqual([]);
  });

  test('names every fault with its key, and repeats no value', () => {
    const faults = faultsOf(
      JSON.stringify({
        user: {},
        users: { customerIdentifer: 'hush', parentIdentifier: 123456 },
        cards: { active: 'hush', byProxy: { isDigital: 'hush' }, disposable: ['a', 5] },
        portal: {
          customerId: 1.5,
          programs: { other: 'hush', loadOn: { custProgId: 1, orders: {} } },
          restrictedLogin: { loginID: 'hush', password: 771199, forbiddenOperation: 'hush' },
          cip: { pass: 'hush' },
        },
      }),
    );
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

  test.each(['', '{"portal":{"restrictedLogin":{"password":"hush"}', '{"a":1,}'])(
    'that is no JSON is one fault: %j',
    (text) => {
      expect(faultsOf(text)).toEqual([expect.stringMatching(/^the fixtures cannot be read: (?!.*hush)./)]);
    },
  );

  test.each(['[]', 'null', '"text"', '5'])('that is no object is a fault: %s', (text) => {
    expect(faultsOf(text)).toEqual(['the whole value: expected object']);
  });

  test('with a key given twice is a fault: one of the two would be lost', () => {
    expect(faultsOf('{"cards":{"active":["a"],"active":["b"]}}')).toEqual(['key given twice: cards.active']);
  });

  test('cannot reach a prototype', () => {
    expect(faultsOf('{"__proto__":{"polluted":true}}')).toEqual(['unknown key __proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('the secrets of a fixtures file', () => {
  test('are the restricted login and every SSN, wherever it stands in a body', () => {
    const given = parseFixtures(
      JSON.stringify({
        portal: {
          restrictedLogin: { loginID: 'limited', password: 'hunter2', forbiddenOperation: 'getCustomerList' },
          cip: { pass: { ssn: 123456789, ssnLast4: 6789, zip: 12345 }, fail: { ssn: 123456789 } },
          programs: {
            other: { custProgId: 4, order: { zip: '99999', orderDetails: [{ ssn: '987654321' }] } },
            loadOn: 8,
          },
        },
      }),
    );
    expect(fixtureSecrets(given)).toEqual(['limited', 'hunter2', '123456789', '6789', '987654321']);
  });

  test('are none in an empty file', () => {
    expect(fixtureSecrets({})).toEqual([]);
  });
});

test('a fixtures file may name its schema, for editors', () => {
  expect(faultsOf(JSON.stringify({ $schema: './fixtures.json', users: {} }))).toEqual([]);
});

test('the schema of the fixtures file is published with int64 as integers', () => {
  const { properties } = z.toJSONSchema(fixtures, { unrepresentable: 'any', io: 'input' });
  expect(properties?.portal).toMatchObject({
    additionalProperties: false,
    properties: { customerId: { type: 'integer', format: 'int64' } },
  });
});
