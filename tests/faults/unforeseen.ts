/** Faults that were thought up once all checks were written, each committed with what it is expected to break before it was run. */
import { answering, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

const results = (body: Record<string, unknown>) => body.results as Record<string, unknown>[];

/** A filter that is ignored where the request has another one, too. */
const filterIgnoredBeside = (
  listing: 'users.list' | 'cards.list',
  filter: string,
  other: string,
  condemns: string,
): Fault => ({
  name: `${listing}: ${filter} is ignored beside ${other}`,
  condemns: [condemns],
  sandbox: {
    rules: {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        (operation === listing && name === filter && request.query[other] !== undefined) || byDefault,
    },
  },
});

export const unforeseenFaults: readonly Fault[] = [
  {
    name: 'getBalance rounds to whole units',
    condemns: ['cards.transfer.moves-amount'],
    sandbox: answering('cards.getBalance', (body) => {
      body.balance = Math.round(body.balance as number);
    }),
  },
  {
    name: 'the balance of a listed card without holder is a text',
    condemns: ['cards.list.shape'],
    sandbox: answering('cards.list', (body) => {
      for (const card of results(body)) if (!card.cardholder) card.balance = String(card.balance);
    }),
  },
  {
    name: 'customers of the second page are identified by numbers',
    condemns: ['users.list.shape'],
    sandbox: answering('users.list', (body, { page }) => {
      if (page === 2)
        for (const [index, customer] of results(body).entries()) Object.assign(customer, { identifier: index });
    }),
  },
  {
    name: 'every second suspension forgets to look at the token',
    condemns: ['cards.suspend.requires-token'],
    sandbox: {
      rules: {
        enforces: ({ operation, kind, request }) =>
          !(operation === 'cards.suspend' && kind === 'token' && request.callNumber % 2 === 0),
      },
    },
  },
  {
    name: 'a page offset with a fraction is cut off',
    condemns: ['portal.getATMLocation.integer-parameters'],
    sandbox: {
      rules: {
        enforces: ({ kind, name, request }) =>
          !(kind === 'parameter-type' && name === 'pageOffset' && /^\d+\.\d+$/.test(request.query.pageOffset ?? '')),
      },
    },
  },
  {
    name: 'every order wants a totalValue',
    condemns: ['portal.orderCards.required-only'],
    sandbox: {
      rules: {
        requires: (operation, name, byDefault) =>
          (operation === 'portal.orderCards' && name === 'totalValue') || byDefault,
      },
    },
  },
  {
    name: 'expires_in counts minutes',
    condemns: ['token.issue.expires-in'],
    sandbox: { rules: { expiresIn: (seconds) => seconds / 60 } },
  },
  {
    name: 'the hierarchy holds whoever shares the parent',
    condemns: ['portal.getCustomerHierarchy.members'],
    sandbox: {
      rules: {
        showsCustomer: (operation, customer, asked, byDefault) =>
          byDefault ||
          (operation === 'portal.getCustomerHierarchy' &&
            asked !== undefined &&
            customer.tenant === 'own' &&
            customer.reachable),
      },
    },
  },
  {
    name: 'an unsuspended card is deactivated',
    condemns: ['cards.unsuspend.active'],
    sandbox: {
      rules: {
        stateAfter: (operation, _card, byDefault) => (operation === 'cards.unsuspend' ? 'deactivated' : byDefault),
      },
    },
  },
  {
    name: 'the record never shows that a card is provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.get', (body) => {
      body.isProvisionedToWallet = false;
    }),
  },
  {
    name: 'strangers are referred',
    condemns: ['portal.getCIPCheck.shape'],
    sandbox: answering('portal.getCIPCheck', (body) => {
      const data = body.data as Record<string, unknown>;
      if (data.summaryResult === 'Fail') data.summaryResult = 'Refer';
    }),
  },
  filterIgnoredBeside('users.list', 'parentIdentifier', 'name', 'users.list.filter-parent'),
  filterIgnoredBeside('users.list', 'name', 'parentIdentifier', 'users.list.filter-name'),
  filterIgnoredBeside('cards.list', 'orderIdentifier', 'customerIdentifier', 'cards.list.filter-order'),
  {
    name: 'a proxy is found without both of programIdentifier and isDigital',
    condemns: ['cards.get.by-proxy-needs-program'],
    sandbox: {
      rules: {
        requires: (operation, _name, byDefault, { query }) =>
          byDefault && !(operation === 'cards.get' && !query.programIdentifier && !query.isDigital),
      },
    },
  },
  {
    name: 'whole amounts count as cents',
    condemns: ['cards.transfer.moves-amount'],
    sandbox: {
      rules: {
        transferDebit: (cents) => (cents % 100 === 0 ? cents / 100 : cents),
        transferCredit: (cents) => (cents % 100 === 0 ? cents / 100 : cents),
      },
    },
  },
  {
    name: 'getCIPCheck: a year of two digits',
    condemns: ['portal.getCIPCheck.dobYear-digits'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, request }) =>
          kind === 'limit' && name === 'dobYear' && (request.body as { dobYear: number }).dobYear < 100,
      ),
    },
  },
  {
    name: "another partner's programs are shown where neither flag is set",
    condemns: ['portal.getCustomerProgramList.foreign-customer'],
    sandbox: {
      rules: letThrough(
        ({ operation, kind, request: { query } }) =>
          operation === 'portal.getCustomerProgramList' &&
          kind === 'foreign' &&
          query.showAutoCreated === 'false' &&
          query.showBranded === 'false',
      ),
    },
  },
  {
    name: 'otherInfo is required of the first card alone',
    condemns: ['portal.orderCards.other-info-required'],
    sandbox: {
      rules: letThrough(({ name, request }) => {
        const { orderDetails } = (request.body ?? {}) as { orderDetails?: unknown };
        const first = (Array.isArray(orderDetails) ? orderDetails[0] : undefined) as
          | { otherInfo?: unknown }
          | undefined;
        return name === 'orderDetails.otherInfo' && first?.otherInfo !== undefined;
      }),
    },
  },
  {
    name: 'cards.list: max is ignored beside a filter',
    condemns: ['cards.list.max-respected'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'cards.list' && Object.keys(query).some((name) => name.endsWith('Identifier')))
            delete query.max;
        },
      },
    },
  },
  {
    name: 'cards.list: beside a filter no max is no limit',
    condemns: ['cards.list.default-at-most-50'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'cards.list' && Object.keys(query).length > 0) query.max ??= '1000';
        },
      },
    },
  },
  {
    name: 'users.list: beside a filter no max is no limit',
    condemns: ['users.list.never-more-than-50'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'users.list' && query.parentIdentifier) query.max ??= '1000';
        },
        pageSize: (_operation, asked, byDefault) => (asked === 1000 ? 1000 : byDefault),
      },
    },
  },
  {
    name: 'users.list: the first three characters of a name are compared',
    condemns: ['users.list.unmatched-name-empty'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'users.list' && query.name) query.name = query.name.slice(0, 3);
        },
      },
    },
  },
  {
    name: 'portal.getATMLocation: the second page is answered with 500',
    condemns: ['portal.getATMLocation.status'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'portal.getATMLocation' && answer.status === 200 && request.query.pageOffset !== '0'
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  },
  {
    name: 'portal.getCIPCheck: an address with letters beyond ASCII is answered with 500',
    condemns: ['portal.getCIPCheck.unusual-values'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'portal.getCIPCheck' && /[^ -~]/.test(String((request.body as { address?: unknown })?.address))
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  },
];
