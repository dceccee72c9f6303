/** Excuses that no freedom of the proof needs, and why they stand all the same. Any other is needed by a sound implementation: without it, that would be accused. */

/**
 * Why an excuse stands that no freedom needs.
 * - 'fixtures': the fixtures file or the environment gives too little, or is out of date
 * - 'scope': an operation is not in scope, or what it gives is only read where it is
 * - 'finding': the cause is a finding of another requirement, which accuses by itself
 * - 'others': somebody else uses the target at that moment, or its clock is behind (how an accusation is earned; readings 14 and 47)
 * - 'limit': the target has a limit that this run reaches here, but not always (readings 46 to 48)
 * - 'fleeting': it showed once and then no more, which a target of ours does only by chance (how an accusation is earned; reading 20)
 * - 'silent': the target shows nothing by which it could be judged, which the documents leave open (readings 10 and 44)
 */
export type Why = 'fixtures' | 'scope' | 'finding' | 'others' | 'limit' | 'fleeting' | 'silent';

/** By file, the reasons as they stand there. */
export const WITHOUT_FREEDOM: Readonly<Record<string, Readonly<Record<string, Why>>>> = {
  'helpers/engine/acceptance.ts': {
    '${operation} answers status ${absent.status} to everything': 'scope',
  },
  'helpers/engine/refused-once.ts': {
    'the run cannot begin sessions': 'fixtures',
  },
  'helpers/engine/retrial.ts': {
    '${stands.message}, but not when it was asked again': 'fleeting',
    '${stands.message}, but it changes by itself': 'others',
  },
  'suites/shared/known-cards.ts': {
    'the card is not found by its identifier now, either': 'fixtures',
  },
  'suites/v1/customer-monitors.ts': {
    'the program list is accepted for nobody': 'finding',
  },
  'suites/v1/customer-programs.ts': {
    'every request is answered with 404 (failed to get list)': 'finding',
  },
  'suites/v1/known-programs.ts': {
    'the program list with ${unknown.flags} is refused: ${describe(unknown.answer)}': 'finding',
    '${key} is listed for none of ${MOST_SEARCHED} customers: give its order with customerId in the fixtures file':
      'fixtures',
  },
  'suites/v1/orders/duplicates.ts': {
    'the wrong order is accepted': 'finding',
  },
  'suites/v1/orders/kinds.ts': {
    'orders of this kind were accepted before, but none is now: an undocumented limit of the target may explain it':
      'limit',
  },
  'suites/v1/orders/repeats.ts': {
    'the program takes no such orders': 'limit',
  },
  'suites/v1/orders/repetitions.ts': {
    'the program takes no identifiers': 'silent',
  },
  'suites/v1/scenarios/last-logins.ts': {
    'no operation that only reads is accepted in a session': 'finding',
  },
  'suites/v1/scenarios/restricted-user.ts': {
    'the restricted login gets no session': 'finding',
    'another login of the restricted user gets no session': 'limit',
  },
  'suites/v1/scenarios/who-asks.ts': {
    'the session was given more than the other: the target may have a limit for each': 'limit',
  },
  'suites/v1/scenarios/valid-requests.ts': {
    'a logout gives nothing': 'fixtures',
  },
  'suites/v3/cards/amount-answered.ts': {
    '${stands.message}, but only once: somebody else may have spent the money': 'others',
  },
  'suites/v3/cards/get.ts': {
    'the listing by the ${name} of the record finds the card and shows another: it contradicts itself': 'finding',
    'createToken gives no token': 'finding',
    'records of another card than the one asked for are given: see cards.get.same-card': 'finding',
  },
  'suites/v3/cards/mark-wallet-provisioned.ts': {
    '${stands.message}, but not when it is read again': 'fleeting',
    'no token shows where the clock of the target stands': 'scope',
  },
  'suites/v3/cards/money/own-balances.ts': {
    'balances that are asked for at the same moment are mixed up: see cards.getBalance.same-card': 'finding',
  },
  'suites/v3/cards/read.ts': {
    '${id} was accepted before, but is refused now: an undocumented limit of the target may explain it': 'limit',
  },
  'suites/v3/cards/refreshes-record.ts': {
    'no transfer was seen to move its amount': 'limit',
    'the balance changes by itself': 'others',
  },
  'suites/v3/cards/refused-transfers.ts': {
    '${name} names another card': 'fixtures',
  },
  'suites/v3/cards/required-only.ts': {
    'cards.unsuspend is refused for a card that was not seen to be suspended': 'others',
  },
  'suites/v3/cards/scenarios/alone.ts': {
    'no other Active card is known': 'others',
  },
  'suites/v3/cards/scenarios/commands.ts': {
    'a life ends early: the ${card} card is ${state.status}': 'finding',
  },
  'suites/v3/cards/transfer.ts': {
    'every transfer is refused now, but was not before: an undocumented limit of the target may explain it, which cards.transferAmounts and cards.transferBody of the fixtures file may meet':
      'limit',
    'no transfer between two active cards moves money, but one does between others': 'others',
  },
  'suites/v3/every-operation/expired-on-cards.ts': {
    'the balances of the cards change without a request': 'others',
  },
  'suites/v3/listings/filters.ts': {
    'a customer is found whose identifier differs from that one by case alone': 'fixtures',
  },
  'suites/v3/listings/members.ts': {
    'users.list does not show who is below the customer asked for': 'finding',
  },
  'suites/v3/listings/sizes.ts': {
    '${operation} was accepted before, but nothing is accepted now: an undocumented limit of the target may explain it':
      'limit',
  },
  'suites/v3/token/ages.ts': {
    "the target's time passes once": 'fleeting',
  },
  'suites/v3/token/issue.ts': {
    'the target hands out a token again: the earlier one may be older than this run': 'others',
    'the token of the run is refused, too': 'others',
  },
  'suites/v3/token/lifetime.ts': {
    '${id} refuses a new token at first: its clock may be behind that of the token endpoint': 'others',
    'the same token is handed out again: it may be older than this run': 'others',
    'the answer came too late': 'others',
  },
  'suites/v3/cards/nothing-else.ts': {
    '${message}, but it gains money by itself': 'others',
    '${message}, but so does a card of which nothing was asked': 'others',
  },
  'suites/v3/cards/scenarios/freed-payments.ts': {
    'another card is not paid back': 'limit',
    'another card was asked to pay more than its partner: an undocumented limit of the target may explain it': 'limit',
  },
  'suites/v3/cards/encrypt-for-vde.ts': {
    'no other card is known': 'fixtures',
  },
};
