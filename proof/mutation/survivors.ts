/** Explanations of surviving mutants; the score fails for a survivor without one. */
import type { Subject } from './build.ts';

export interface Explained {
  /** Patterns of keys (see `keyOf`); `*` stands for any text. */
  mutants: readonly string[];
  /**
   * `equivalent`: no request shows a difference. `free`: the difference breaks no documented must; the reason names the reading.
   * `undecided`: a must becomes inconclusive or skipped, as the reading named in the reason demands. `missed`: it breaks a must,
   * and the suite does not notice; the reason says why.
   */
  why: 'equivalent' | 'free' | 'undecided' | 'missed';
  reason: string;
}

const choices: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'no fixture and no answer shows which customers are the last below others',
    mutants: ['choices.ts · familyBelow · last element left out*'],
  },
  {
    why: 'free',
    reason: 'how identifiers, tokens and sessions are spelled is not shown',
    mutants: ['scramble', 'identifier', 'word', 'v1Id', 'customer', 'program', 'user', 'accessToken', 'sessionId'].map(
      (inside) => `choices.ts · ${inside} · *`,
    ),
  },
  {
    why: 'missed',
    reason: 'readings 32 and 52: one form of a wrong password or secret per run; others by other seeds',
    mutants: ['choices.ts · isSecret · compared by case*'],
  },
  {
    why: 'free',
    reason: 'reading 15: 59 and 61 minutes are judged, not seconds',
    mutants: ['choices.ts · tokenLifetime · off by one*'],
  },
  {
    why: 'free',
    reason: 'reading 17: another scheme is judged, not what stands around the header',
    mutants: ['choices.ts · bearer · anchor dropped*'],
  },
  {
    why: 'equivalent',
    reason: 'without a header there is no match either way',
    mutants: ['choices.ts · bearer · right operand dropped*'],
  },
  {
    why: 'free',
    reason: 'no sentence says that blanks around a value belong to it, or that what identifies differs by case alone',
    mutants: [
      'choices.ts · is* · compared by trim*',
      'choices.ts · isSame · compared by case*',
      'choices.ts · ownerMatches · compared by case*',
      'choices.ts · ownerMatches · compared by trim*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 17: a refusal other than 401 is good enough where the right twin is accepted',
    mutants: ['choices.ts · guardFirst · *'],
  },
  {
    why: 'free',
    reason: 'reading 26: how numbers correspond to states is observed',
    mutants: ['unused', 'active', 'suspended', 'deactivated', 'fraud', 'lost', 'closed'].map(
      (inside) => `choices.ts · ${inside} · off by one*`,
    ),
  },
  {
    why: 'free',
    reason: "reading 4: any offset and any time is a date-time, and a transfer's date is either form",
    mutants: ['choices.ts · dateTime · *', 'choices.ts · date · slice forgotten*'],
  },
  {
    why: 'free',
    reason: 'reading 4: undocumented members are allowed; the fields of error objects of the portal are not shown',
    mutants: ['choices.ts · weight · *', 'choices.ts · portalError · *'],
  },
  {
    why: 'free',
    reason: 'reading 22: the upper bound of max on cards is not shown, nor is the order of a listing',
    mutants: ['choices.ts · cardsMost · off by one*', 'choices.ts · *Order · arithmetic turned*'],
  },
  {
    why: 'free',
    reason: 'reading 10: a record may lag until it is refreshed, or not',
    mutants: ['choices.ts · recordsLag · *'],
  },
  {
    why: 'free',
    reason:
      'reading 46: a least amount and the form of a PIN are rules of the target; its fixtures promise the amount that it takes',
    mutants: ['choices.ts · least · off by one*', 'choices.ts · pin · anchor dropped*'],
  },
  {
    why: 'free',
    reason: 'reading 30: a repeated nonce is observed',
    mutants: ['choices.ts · nonceReusable · *'],
  },
  {
    why: 'free',
    reason: 'reading 25: which cards are related is not shown, and one is asked for',
    mutants: ['choices.ts · relatedTo · comparison negated*'],
  },
  {
    why: 'equivalent',
    reason: 'numbers and flags are compared, not texts',
    mutants: ['choices.ts · relatedTo · compared by *', 'choices.ts · programShown · compared by *'],
  },
  {
    why: 'equivalent',
    reason: 'each customer that may be asked for has a parent',
    mutants: ['choices.ts · hierarchy · condition always true*'],
  },
  {
    why: 'free',
    reason: 'reading 40: what showAutoCreated selects is a should, what showBranded selects is observed',
    mutants: ['choices.ts · programShown · * operand dropped*', 'choices.ts · programShown · comparison negated*'],
  },
  {
    why: 'free',
    reason: 'readings 41 and 45: the pages of machines are observed',
    mutants: ['most', 'first', 'count'].map((inside) => `choices.ts · ${inside} · off by one*`),
  },
  {
    why: 'free',
    reason: 'reading 44: orderId and proxy in an answer are shoulds',
    mutants: ['choices.ts · orderReply · *'],
  },
  {
    why: 'equivalent',
    reason: 'how a body is cut on its way; which of the orders that a program takes the fixtures give',
    mutants: ['choices.ts · chunk · *', 'choices.ts · wholeOrders · *'],
  },
];

const world: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'series, clocks and histories begin elsewhere; a second is less than is judged',
    mutants: ['world.ts · * · off by one*'],
  },
  {
    why: 'equivalent',
    reason: 'the history serves replicas, of which there are none here',
    mutants: ['world.ts · alter · *'],
  },
];

const cardChanges: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'a state without transition was refused before',
    mutants: ['operations/card-changes.ts · state · * operand dropped*'],
  },
  {
    why: 'free',
    reason: 'when a record says that it was updated is not shown',
    mutants: [
      'operations/card-changes.ts · transition · condition always true · state !== card.facts.state*',
      'operations/card-changes.ts · * · statement dropped · touch(x, card, {});*',
    ],
  },
  {
    why: 'free',
    reason: 'readings 29 and 50: in which states a card may be provisioned, reissued or given a PIN is not shown',
    mutants: [
      'operations/card-changes.ts · cardIn · statement dropped*',
      'operations/card-changes.ts · cardIn · first element only*',
      'operations/card-changes.ts · cardIn · last element left out*',
    ],
  },
  {
    why: 'free',
    reason: 'readings 8 and 30: a wrong type in a body is a should, and which members a reissue needs is not shown',
    mutants: [
      'operations/card-changes.ts · bad · *',
      "operations/card-changes.ts · reissue · statement dropped · x.refuseIf(bad, 'bad-field'*",
      "operations/card-changes.ts · setPin · statement dropped · x.refuseIf(typeof pin !== 'string'*",
      "operations/card-changes.ts · setPin · * operand dropped · typeof pin !== 'string' || !x.choices.pin(pin)*",
      "operations/card-changes.ts · setPin · comparison negated · typeof pin !== 'string'*",
    ],
  },
  {
    why: 'undecided',
    reason: 'readings 9 and 47: each PIN is refused, or the connection is cut, so that nothing follows',
    mutants: [
      'operations/card-changes.ts · setPin · negation dropped*',
      'operations/card-changes.ts · * · parameters swapped · touch(x, card, {})*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 10: what a PIN does is not readable',
    mutants: ['operations/card-changes.ts · setPin · statement dropped · card.pin = String(pin)*'],
  },
  {
    why: 'free',
    reason: 'reading 31: what is only listed is observed',
    mutants: ['operations/cardholders.ts · *'],
  },
];

const cards: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'the last card, customer and program are of others: nobody is answered by them',
    mutants: [
      'operations/cards.ts · selected · last element left out*',
      'operations/cards.ts · byProxy · last element left out*',
      'operations/cards.ts · found · last element left out · x.world.cards.find*',
      'operations/cards.ts · related · last element left out*',
      'operations/guard.ts · found · last element left out*',
      'operations/orders.ts · program · last element left out*',
      'operations/portal-lookups.ts · programs · last element left out*',
      'operations/transfer.ts · target · last element left out*',
      'operations/users.ts · parent · last element left out*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'there is one of that name: tokens, sessions, identifiers and users differ',
    mutants: [
      'operations/cards.ts · found · findLast for find*',
      'operations/guard.ts · * · findLast for find*',
      'operations/orders.ts · program · findLast for find*',
      'operations/cip.ts · person · findLast for find*',
      'operations/portal-session.ts · user · findLast for find*',
      'operations/transfer.ts · target · findLast for find*',
      'operations/users.ts · parent · findLast for find*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'every card is listed: a choice that nothing here uses',
    mutants: ['operations/cards.ts · selected · right operand dropped · card.owner.ours && choices.isListed(card)*'],
  },
  {
    why: 'free',
    reason:
      'reading 22: an unknown value of a filter is observed, save where it gives everything; no listed value is the beginning of another',
    mutants: [
      'operations/cards.ts · selected · compared by *',
      'operations/users.ts · parent · compared by *',
      'operations/users.ts · found · compared by *',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 24: with a wrong programIdentifier the card meant may be found, and proxies that differ by case, blanks or their end are not tried where they may be numbers in a row',
    mutants: [
      'operations/cards.ts · byProxy · findLast for find*',
      'operations/cards.ts · byProxy · compared by *',
      'operations/cards.ts · byProxy · left operand dropped · (!program || card.program.identifier === program)*',
      'operations/cards.ts · byProxy · left operand dropped · (digital === undefined || card.digital === digital)*',
      'operations/cards.ts · byProxy · right operand dropped · card.proxy === x.path.identifier && *',
      'operations/cards.ts · byProxy · negation dropped · !program*',
      'operations/cards.ts · byProxy · comparison negated · digital === undefined*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 46: byToken and byProxy together, or one of them false, are in no sentence',
    mutants: [
      "operations/cards.ts · get · statement dropped · x.refuseIf(token === true && proxy === true, 'bad-flag'*",
      'operations/cards.ts · get · flag flipped*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 23: that a temporary token is found is a should',
    mutants: [
      'operations/cards.ts · get · right operand dropped · token === true && proxy === true*',
      'operations/cards.ts · get · comparison negated · proxy === true*',
      'operations/cards.ts · get · left operand dropped · token || proxy*',
      'operations/cards.ts · found · condition always false*',
      'operations/cards.ts · found · first element only*',
      'operations/cards.ts · found · last element left out · card.temporaryTokens*',
      'operations/cards.ts · createToken · statement dropped*',
    ],
  },
  {
    why: 'missed',
    reason:
      'reading 13: a foreign card by its proxy, or by a temporary token; neither is in the fixtures, and nobody else gives it away',
    mutants: ["operations/cards.ts · get · statement dropped · x.refuseIf(!found.owner.ours, 'card-out-of-reach'*"],
  },
  {
    why: 'missed',
    reason:
      'reading 13: a foreign card among those related to a card that is not asked for them in this run; which are asked for rotates with the seed',
    mutants: [
      'operations/cards.ts · related · left operand dropped · other !== card && other.owner.ours && *',
      'operations/cards.ts · related · right operand dropped · other !== card && other.owner.ours -> other !== card',
    ],
  },
  {
    why: 'free',
    reason: 'reading 25: which cards are related, the card itself among them, is not shown, and one is asked for',
    mutants: [
      'operations/cards.ts · related · right operand dropped · other !== card && other.owner.ours && *',
      'operations/cards.ts · related · left operand dropped · other !== card && other.owner.ours -> other.owner.ours',
      'operations/cards.ts · related · comparison negated*',
      'operations/cards.ts · results · first element only*',
      'operations/cards.ts · results · last element left out*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a card is related to whoever is related to it',
    mutants: ['operations/cards.ts · related · parameters swapped*'],
  },
  {
    why: 'free',
    reason: 'readings 8 and 30: the type of a nonce is a should, a repeated one is observed, and a payload is opaque',
    mutants: ['operations/cards.ts · encryptForVde · *', 'operations/cards.ts · plain · *'],
  },
];

/** Mutants of CIP checks. Many refuse everything of a kind, valid requests too, which leaves the musts undecided. */
const cip: readonly Explained[] = [
  {
    why: 'undecided',
    reason: 'reading 47: every check is refused, that of a person of the fixtures, too',
    mutants: [
      'operations/cip.ts · checkPerson · comparison negated*',
      'operations/cip.ts · checkPerson · negation dropped*',
      'operations/cip.ts · checkPerson · parameters swapped*',
      'operations/cip.ts · born · *',
      'operations/cip.ts · real · comparison negated*',
      'operations/cip.ts · real · arithmetic turned*',
      'operations/cip.ts · real · off by one · 1 -> 2',
    ],
  },
  {
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should',
    mutants: ['operations/cip.ts · isWhole · left operand dropped · Number.isInteger(value) && Number(value) >= 0*'],
  },
  {
    why: 'free',
    reason:
      'readings 39 and 46: a zip or number of zeros, the last of a month and who was born before the year 1000 may be refused',
    mutants: [
      'operations/cip.ts · isWhole · boundary shifted*',
      'operations/cip.ts · isWhole · off by one*',
      'operations/cip.ts · real · boundary shifted · dobYear*',
      'operations/cip.ts · real · off by one · 1000*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 39: months and days that do not exist are a should',
    mutants: [
      'operations/cip.ts · dobMonth · off by one*',
      'operations/cip.ts · dobDay · off by one*',
      'operations/cip.ts · real · right operand dropped*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'numbers are compared, not texts',
    mutants: ['operations/cip.ts · real · compared by *'],
  },
  {
    why: 'free',
    reason: 'reading 38: by what a person is found is not shown, nor what an unknown one gets or the messages say',
    mutants: [
      'operations/cip.ts · person · last element left out*',
      'operations/cip.ts · person · compared by *',
      'operations/cip.ts · outcomeOf · right operand dropped*',
      'operations/cip.ts · Idnumber · *',
      'operations/cip.ts · Error · *',
      'operations/cip.ts · detailedMessages · *',
    ],
  },
];

const guard: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'a request without token or session was refused the line before, and null names none',
    mutants: [
      'operations/guard.ts · requireToken · condition always false · presented === undefined*',
      'operations/guard.ts · requireToken · left operand dropped · token !== undefined && *',
      'operations/guard.ts · presented · right operand dropped*',
      'operations/guard.ts · session · right operand dropped*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'it ends a millisecond later',
    mutants: ['operations/guard.ts · requireToken · boundary shifted*'],
  },
  {
    why: 'equivalent',
    reason: 'only faults and freedoms look at it',
    mutants: [
      'operations/guard.ts · * · statement dropped · x.admitted*',
      'operations/guard.ts · admitted · *',
      'operations/guard.ts · requireSession · statement dropped · x.session.used*',
      'operations/guard.ts · * · statement dropped · x.customer = found*',
      'operations/orders.ts · orderCards · statement dropped · x.program*',
      'operations/transfer.ts · checkTarget · statement dropped · x.target*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'texts are compared both ways alike, and numbers and objects are compared',
    mutants: [
      'operations/guard.ts · known · parameters swapped*',
      'operations/guard.ts · found · compared by * · customer.v1Id === id*',
      'operations/portal-lookups.ts · programs · compared by *',
      'operations/orders.ts · program · compared by *',
      'operations/transfer.ts · checkTarget · compared by *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'one operation is forbidden to the restricted user',
    mutants: ['operations/guard.ts · requireSession · first element only*'],
  },
  {
    why: 'free',
    reason: 'reading 13: access to users is full; what is foreign is judged of cards and of the portal',
    mutants: [
      "operations/guard.ts · customerOfPath · statement dropped · x.refuseIf(!found.ours, 'customer-out-of-reach'*",
      'operations/users.ts · selected · statement dropped · x.refuseIf(!parent?.ours*',
    ],
  },
  {
    why: 'free',
    reason: 'readings 36 and 46: the customer of the login is accepted; that those below it are is not said',
    mutants: [
      'operations/guard.ts · customerOfQuery · first element only*',
      'operations/guard.ts · customerOfQuery · last element left out*',
    ],
  },
];

const orderRules: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'an absent value is neither a number nor a text to compare',
    mutants: [
      'operations/order-rules.ts · loads · right operand dropped · order.totalValue ?? 0*',
      'operations/order-rules.ts · loads · right operand dropped · card.amount ?? 0*',
      'operations/order-rules.ts · texts · filter forgotten*',
      'operations/order-rules.ts · repeats · condition always false*',
      'operations/order-rules.ts · checkDuplicates · left operand dropped*',
      'operations/order-rules.ts · remember · condition always true · order.externalIdentifier*',
    ],
  },
  {
    why: 'free',
    reason: 'order rule 4: a load has an amount per card; totalValue alone is none',
    mutants: [
      'operations/order-rules.ts · loads · left operand dropped · Number(order.totalValue ?? 0) > 0 || *',
      'operations/order-rules.ts · loads · left operand dropped · order.totalValue ?? 0*',
      'operations/order-rules.ts · loads · off by one*',
    ],
  },
  {
    why: 'undecided',
    reason:
      'reading 47: every order of a program is refused, the one that the fixtures give or that is tried first, too',
    mutants: [
      "operations/order-rules.ts · checkOptions · left operand dropped · order.cardType === 'Digital' && *",
      "operations/order-rules.ts · checkOptions · comparison negated · order.cardType === 'Digital'*",
      'operations/order-rules.ts · checkOptions · negation dropped · !order.externalIdentifier*',
      'operations/order-rules.ts · checkOptions · negation dropped · !order.totalValue*',
      'operations/order-rules.ts · checkOptions · negation dropped · !cards.every(*',
      'operations/order-rules.ts · checkOptions · left operand dropped · program.duplicateLoadChecker && !marked*',
      'operations/order-rules.ts · checkOptions · * operand dropped · program.otherInfoRequired && *',
      'operations/order-rules.ts · repeated · every for some*',
      'operations/order-rules.ts · known · every for some*',
      'operations/order-rules.ts · checkDuplicates · right operand dropped · !!external && known*',
      'operations/order-rules.ts · otherInfo · right operand dropped*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 44: a load without identifier, total or amount need not be refused for that',
    mutants: [
      "operations/order-rules.ts · checkOptions · statement dropped · x.refuseIf(!order.externalIdentifier, 'load-*",
      "operations/order-rules.ts · checkOptions · statement dropped · x.refuseIf(!order.totalValue, 'load-*",
      'operations/order-rules.ts · checkOptions · statement dropped · x.refuseIf(!cards.every((card) => Number(card.amount)*',
      'operations/order-rules.ts · checkOptions · * · cards.every((card) => Number(card.amount) > 0)*',
      'operations/order-rules.ts · checkOptions · boundary shifted · Number(card.amount) > 0*',
      'operations/order-rules.ts · checkOptions · off by one · 0 -> 1',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 44: of repeated loads, and of what one card of several repeats, which may be left out, refusal is a should',
    mutants: [
      'operations/order-rules.ts · marked · *',
      'operations/order-rules.ts · checkOptions · statement dropped · x.refuseIf(program.duplicateLoadChecker*',
      'operations/order-rules.ts · checkOptions · right operand dropped · program.duplicateLoadChecker && !marked*',
      'operations/order-rules.ts · checkOptions · negation dropped · !marked*',
      'operations/order-rules.ts · repeats · every for some*',
      'operations/order-rules.ts · repeats · first element only*',
      'operations/order-rules.ts · repeats · statement dropped · seen.push(*',
      "operations/order-rules.ts · checkDuplicates · statement dropped · x.refuseIf(loaded, 'load-duplicate'*",
      'operations/order-rules.ts · remember · condition always * · loads(order, cards)*',
      'operations/order-rules.ts · remember · statement dropped · program.loadIdentifiers*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 46: more is refused than must be',
    mutants: [
      'operations/order-rules.ts · otherInfo · left operand dropped*',
      'operations/order-rules.ts · checked · *',
      'operations/order-rules.ts · loaded · *',
    ],
  },
];

const orders: readonly Explained[] = [
  {
    why: 'undecided',
    reason: 'reading 47: every order, or every one of a program, is refused, the one that the fixtures give, too',
    mutants: [
      'operations/orders.ts · string · *',
      'operations/orders.ts · number · *',
      'operations/orders.ts · boolean · *',
      'operations/orders.ts · checkFields · * · !missing*',
      'operations/orders.ts · checkFields · negation dropped · !types[*',
      'operations/orders.ts · checkShape · flag flipped · true -> false',
      'operations/orders.ts · checkShape · negation dropped*',
      'operations/orders.ts · checkValues · negation dropped*',
      'operations/orders.ts · checkValues · first element only · Object.values(orderTypes)*',
      'operations/orders.ts · checkValues · right operand dropped · !!shippingMethod*',
      'operations/orders.ts · checkValues · right operand dropped · order.qty != null*',
      'operations/orders.ts · checkValues · boundary shifted · Number(order.qty) < 1*',
      'operations/orders.ts · checkValues · off by one · 1 -> 2',
      'operations/orders.ts · program · first element only*',
      'operations/orders.ts · programOf · condition always true · !program*',
      'operations/orders.ts · programOf · negation dropped*',
      'operations/orders.ts · programOf · comparison negated*',
      'operations/orders.ts · programOf · first element only · orderTypes[*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should',
    mutants: [
      'operations/orders.ts · missing · *',
      'operations/orders.ts · checkShape · statement dropped · checkFields(x, order, optional, true)*',
      'operations/orders.ts · checkShape · statement dropped · checkFields(x, card, optionalOfCard, true)*',
      'operations/orders.ts · checkShape · right operand dropped · !Array.isArray(details) || !details.length || *',
      'operations/orders.ts · checkShape · * · details.every(isObject)*',
      'operations/orders.ts · cards · filter forgotten*',
      'operations/orders.ts · cards · condition always true*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 6: absent means not sent; that a list is empty is observed',
    mutants: [
      'operations/orders.ts · checkShape · right operand dropped · !Array.isArray(details) || !details.length -> *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a type that is not listed is one that no program takes',
    mutants: ['operations/orders.ts · checkValues · statement dropped · x.refuseIf(!Object.values(orderTypes)*'],
  },
  {
    why: 'free',
    reason: 'reading 42: which of the listed types and shipping methods a program takes is observed, and so is qty',
    mutants: [
      'operations/orders.ts · checkValues · last element left out · Object.values(orderTypes)*',
      'operations/orders.ts · checkValues · statement dropped · x.refuseIf(!!shippingMethod*',
      'operations/orders.ts · checkValues · * · shippingMethods.includes*',
      'operations/orders.ts · checkValues · statement dropped · x.refuseIf(order.qty*',
      'operations/orders.ts · checkValues · left operand dropped · order.qty != null*',
      'operations/orders.ts · programOf · statement dropped · x.refuseIf(!orderTypes[program.family]*',
      'operations/orders.ts · programOf · last element left out · orderTypes[*',
    ],
  },
  {
    why: 'free',
    reason:
      "readings 13 and 46: that an order for another customer, or of another one's program, is refused is a should",
    mutants: [
      "operations/orders.ts · programOf · statement dropped · x.refuseIf(!reach.includes(program.customer), 'foreign-program'*",
      'operations/orders.ts · programOf · first element only · reach.includes*',
      'operations/orders.ts · programOf · last element left out · reach.includes*',
      'operations/orders.ts · programOf · statement dropped · x.refuseIf(program.customer.v1Id !== order.customerId*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 44: orderId and proxy in an answer are shoulds, and how they are spelled is not shown',
    mutants: [
      'operations/orders.ts · orderId · *',
      'operations/orders.ts · single · *',
      'operations/orders.ts · proxy · *',
      'operations/orders.ts · body · *',
    ],
  },
];

const paging: readonly Explained[] = [
  {
    why: 'free',
    reason: 'readings 18 and 22: max below 1, and above what is allowed, is refused or not',
    mutants: [
      'operations/paging.ts · asked · statement dropped · x.refuseIf(max < 1 || *',
      'operations/paging.ts · asked · left operand dropped · max < 1 || *',
      'operations/paging.ts · asked · right operand dropped · (max > most && *',
      "operations/paging.ts · asked · comparison negated · x.choices.largeMax === 'refuse'*",
    ],
  },
  {
    why: 'equivalent',
    reason: 'what is larger than the largest page is cut, whatever is asked about it',
    mutants: [
      'operations/paging.ts · asked · right operand dropped · max < 1 || *',
      'operations/paging.ts · asked · left operand dropped · (max > most && *',
      'operations/paging.ts · asked · boundary shifted · max > most*',
      'operations/paging.ts · asked · parameters swapped*',
    ],
  },
  {
    why: 'undecided',
    reason:
      'reading 22: that there are 50 where more exist is judged where more are known to exist, and each page has one here',
    mutants: ['operations/paging.ts · asked · min for max*'],
  },
  {
    why: 'free',
    reason:
      'reading 19: an invented token is observed, and max and filters are sent again with one, which a target may want or not',
    mutants: [
      'operations/paging.ts · page · statement dropped · x.refuseIf(remembered?.operation !== x.operation*',
      'operations/paging.ts · page · statement dropped · selected = x.choices.resumed*',
      'operations/paging.ts · page · statement dropped · x.refuseIf(!repeated*',
      'operations/paging.ts · repeated · *',
    ],
  },
  {
    why: 'equivalent',
    reason:
      'what is found nowhere is the first after none; no identifier resembles another; there is a member for the token',
    mutants: [
      'operations/paging.ts · from · condition always false*',
      'operations/paging.ts · from · compared by *',
      'operations/paging.ts · pageBody · *',
    ],
  },
  {
    why: 'free',
    reason: 'reading 19: a walk may end with an empty page, and a token may lapse with the next one',
    mutants: [
      'operations/paging.ts · more · boundary shifted*',
      'operations/paging.ts · known · left operand dropped*',
    ],
  },
];

const portal: readonly Explained[] = [
  {
    why: 'undecided',
    reason: 'reading 43: what is accepted of orders is judged where the base order of the fixtures is',
    mutants: [
      'operations/order-rules.ts · loads · boundary shifted*',
      'operations/order-rules.ts · checkOptions · condition always true · loads*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 37: which customers getCustomerList has is not shown',
    mutants: [
      'operations/portal-lookups.ts · items · first element only · customers.map*',
      'operations/portal-lookups.ts · items · last element left out · customers.map*',
    ],
  },
  {
    why: 'missed',
    reason: 'reading 52: one form of a wrong secret per run; others by other seeds',
    mutants: ['v3/token.ts · issueToken · compared by case · secret === clientSecret*'],
  },
  {
    why: 'free',
    reason: 'reading 14: an offset that is alike for two tokens is no fault unless it is a time zone',
    mutants: ['v3/token.ts · issuedAt · off by one*'],
  },
  {
    why: 'free',
    reason: 'readings 41, 45 and 46: fees, places and pages of machines are observed',
    mutants: [
      'standard',
      'express',
      'fine',
      'latitude',
      'longitude',
      'getATMLocation',
      'length',
      'from',
      'code',
      'at',
      'open',
      'machines',
    ].map((inside) => `operations/portal-lookups.ts · ${inside} · *`),
  },
  {
    why: 'free',
    reason: 'reading 40: what showAutoCreated selects is a should, what showBranded selects is observed',
    mutants: ['operations/portal-lookups.ts · programs · right operand dropped · program.customer === customer && *'],
  },
  {
    why: 'equivalent',
    reason: 'a parameter that is absent was refused before, and null is as good as empty',
    mutants: [
      'operations/portal-lookups.ts · programs · right operand dropped · * ?? false*',
      'operations/portal-lookups.ts · given · *',
      'operations/portal-session.ts · * · right operand dropped · query.get(*',
    ],
  },
  {
    why: 'undecided',
    reason: 'reading 47: no login of that user is accepted',
    mutants: [
      'operations/portal-session.ts · user · first element only*',
      'operations/portal-session.ts · user · last element left out*',
    ],
  },
  {
    why: 'free',
    reason: 'who a user is and what it may do is not said',
    mutants: ['operations/portal-session.ts · * · flag flipped*'],
  },
];

const token: readonly Explained[] = [
  {
    why: 'free',
    reason: 'reading 16: grants, other scopes and missing members of the token request are observed',
    mutants: [
      'operations/token.ts · grant · *',
      "operations/token.ts · issue · statement dropped · x.refuseIf(!['client_credentials', 'authorization_code']*",
      "operations/token.ts · issue · * · ['client_credentials', 'authorization_code'].includes(grant)*",
      "operations/token.ts · issue · condition always false · grant === 'authorization_code'*",
      "operations/token.ts · issue · statement dropped · x.refuseIf((form.get('scope')*",
      "operations/token.ts · issue · * operand dropped · (form.get('scope') ?? world.scope)*",
    ],
  },
  {
    why: 'equivalent',
    reason: 'null is as good as empty, and every token lives as long',
    mutants: [
      "operations/token.ts · issue · right operand dropped · form.get('client_secret') ?? ''*",
      'operations/token.ts · lifetime · parameters swapped*',
    ],
  },
  {
    why: 'free',
    reason: 'the tenant path is a part of the address: that another one is refused is not said',
    mutants: ['operations/token.ts · issue · statement dropped · x.refuseIf(x.path.tenant*'],
  },
  {
    why: 'free',
    reason:
      'readings 14 and 15: minutes are judged, seconds are not; a time that is neither in seconds nor in milliseconds is a should',
    mutants: [
      ...['expires', 'not_before', 'expires_in', 'expires_on'].map(
        (inside) => `operations/token.ts · ${inside} · off by one*`,
      ),
      'operations/token.ts · not_before · arithmetic turned · issued / 1000*',
      'operations/token.ts · expires_on · arithmetic turned · issued / 1000*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 31: authorize is observed',
    mutants: ['operations/token.ts · authorize · *'],
  },
];

const transfer: readonly Explained[] = [
  {
    why: 'undecided',
    reason: 'reading 46: that amounts of 0.50 and more are refused may be a rule of the target',
    mutants: ['operations/transfer.ts · cents · off by one*'],
  },
  {
    why: 'free',
    reason:
      'readings 8 and 27: an amount as text is a should; zero and parts of a cent are observed; more than 10.00 is not promised',
    mutants: [
      "operations/transfer.ts · centsOf · condition always false · typeof amount !== 'number'*",
      "operations/transfer.ts · centsOf · * operand dropped · typeof amount !== 'number'*",
      'operations/transfer.ts · centsOf · boundary shifted*',
      'operations/transfer.ts · centsOf · off by one · 1e9*',
      'operations/transfer.ts · centsOf · condition always true · cents > 0 && cents / 100 === amount*',
      'operations/transfer.ts · centsOf · * operand dropped · cents > 0 && cents / 100 === amount*',
      "operations/transfer.ts · checkAmount · statement dropped · x.refuseIf(cents === undefined, 'bad-amount'*",
    ],
  },
  {
    why: 'missed',
    reason:
      'reading 46: amounts that the fixtures promise are refused (a cent, up to the unit, or 1.15); reading 27 accuses a transfer that is refused however it is asked for, and no single amount',
    mutants: [
      'operations/transfer.ts · centsOf · off by one · 0 -> 1',
      'operations/transfer.ts · cents · floor for round*',
      'operations/transfer.ts · checkAmount · boundary shifted · x.cents < least * 100*',
      'operations/transfer.ts · checkAmount · off by one · 100 -> 101',
    ],
  },
  {
    why: 'equivalent',
    reason:
      'numbers are compared, not texts; more than the most, between the steps and below the least is nothing here',
    mutants: [
      'operations/transfer.ts · centsOf · compared by *',
      'operations/transfer.ts · cents · * operand dropped · cents ?? *',
      'operations/transfer.ts · offStep · *',
      'operations/transfer.ts · checkAmount · statement dropped · x.refuseIf(offStep || *',
      'operations/transfer.ts · checkAmount · * operand dropped · offStep || *',
      'operations/transfer.ts · checkAmount · arithmetic turned*',
      'operations/transfer.ts · checkAmount · boundary shifted · x.cents > most * 100*',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 8 and 48: a wrong type is a should, and a transfer with comment or custom fields may be refused or not; without them is a should, too',
    mutants: [
      'operations/transfer.ts · checkTexts · *',
      'operations/transfer.ts · fine · *',
      'operations/transfer.ts · transfer · statement dropped · checkTexts(x, sent)*',
      "operations/transfer.ts · checkTarget · statement dropped · x.refuseIf(typeof wanted !== 'string'*",
    ],
  },
  {
    why: 'undecided',
    reason: 'reading 47: a card was paid before in the run, and none is now',
    mutants: ['operations/transfer.ts · target · first element only*'],
  },
  {
    why: 'free',
    reason: 'reading 27: to itself no money moves either way; that a success is claimed is a should',
    mutants: ["operations/transfer.ts · checkTarget · statement dropped · x.refuseIf(target === x.card, 'same-card'*"],
  },
  {
    why: 'equivalent',
    reason: 'there is one state that spends, and one that receives',
    mutants: ['operations/transfer.ts · transfer · first element only*'],
  },
  {
    why: 'free',
    reason:
      'readings 27, 28 and 46: transfers to a suspended card, of more than the balance and of all of it are observed',
    mutants: [
      'operations/transfer.ts · transfer · statement dropped · x.refuseIf(!choices.receives*',
      'operations/transfer.ts · transfer · statement dropped · x.refuseIf(card.facts.cents < x.cents*',
      'operations/transfer.ts · transfer · boundary shifted · card.facts.cents < x.cents*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 27: what the answer to a transfer gives beside its amount is observed',
    mutants: ['operations/transfer.ts · comment · *', 'operations/transfer.ts · customFields · *'],
  },
];

const users: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'who is unknown is not ours either, and is refused for that',
    mutants: [
      'operations/users.ts · selected · statement dropped · x.refuseIf(!parent, *',
      'operations/users.ts · found · condition always true · parent ? choices.within(parent) : []*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 20: the match of the fixtures is found; by what others would be found is shown nowhere',
    mutants: [
      'operations/users.ts · found · last element left out · found.filter((customer) => choices.nameContains*',
      'operations/users.ts · found · last element left out · found.filter((customer) => String(customer.v1Id)*',
    ],
  },
  {
    why: 'free',
    reason: 'how many customers are listed without max is not shown, but that it is at most 50',
    mutants: ['operations/users.ts · usual · *'],
  },
  {
    why: 'free',
    reason: 'readings 8 and 10: a wrong type is a should, and what permissions do is not readable',
    mutants: ['operations/users.ts · setPermissions · *'],
  },
];

const secondTarget: readonly Explained[] = [
  ...choices,
  ...world,
  ...cardChanges,
  ...cards,
  ...cip,
  ...guard,
  ...orderRules,
  ...orders,
  ...paging,
  ...portal,
  ...token,
  ...transfer,
  ...users,
];

const state: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'only a reset and faults ask for it',
    mutants: [
      'state/backend.ts · constructor · statement dropped · this.#makeSeed*',
      'state/backend.ts · number · *',
      'state/backend.ts · nextCallNumber · *',
      'v3/authenticate.ts · authenticate · condition always false · found.token*',
      'v3/authenticate.ts · authenticate · statement dropped · call.tokenAgeSeconds*',
      'v3/authenticate.ts · tokenAgeSeconds · *',
      'v3/find-card.ts · findCard · statement dropped · call.card = found;*',
      'v3/listing.ts · page · statement dropped · call.page*',
      'v3/listing.ts · page · off by one · 1 -> 2',
      'v3/listing.ts · page · arithmetic turned · number + 1*',
      'v3/states.ts · touch · statement dropped · card.history*',
      'v3/transfer.ts · moveMoney · statement dropped · world.transfers*',
      'v3/transfer.ts · targetIdentifier · *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a rule that faults and variants set says the same as the sound one whatever it is asked with',
    mutants: [
      'v1/customers.ts · items · parameters swapped*',
      'v1/orders.ts · taken · parameters swapped*',
      'v1/orders.ts · checkOtherInfo · parameters swapped*',
      'v1/orders.ts · checkOtherInfo · condition always true · call.rules.requires*',
      'v3/cards.ts · found · condition always false · rules.listsForeign*',
      'v3/cards.ts · seen · right operand dropped*',
      'v3/cards.ts · found · filter forgotten · found.filter((card) => !rules.hides*',
      'v3/cards.ts · listCards · statement dropped · found = rules.listingOrder*',
      'v3/cards.ts · listCards · condition always true · !rules.cardsContinue*',
      'v3/find-card.ts · found · * operand dropped*',
      'v3/listing.ts · size · parameters swapped*',
      'v3/listing.ts · token · condition always true*',
      'v3/states.ts · allowed · parameters swapped*',
      'v3/states.ts · state · parameters swapped*',
      'v3/transfer.ts · balanceCents · parameters swapped*',
      'v3/users.ts · found · condition always false · rules.listsForeign*',
      'v3/users.ts · found · filter forgotten · found.filter((customer) => !rules.hides*',
      'v3/users.ts · listCustomers · statement dropped · found = rules.listingOrder*',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 33 and 51: how many sessions a user has, what ends the others of a user, and when a user is locked is a rule of the target',
    mutants: [
      'state/session-store.ts · start · *',
      'state/session-store.ts · own · *',
      'state/session-store.ts · earlier · *',
      'state/session-store.ts · id · *',
      'state/session-store.ts · end · * · !this.#rules.logoutEndsAll*',
      'state/session-store.ts · living · *',
      'state/session-store.ts · hasAllSessions · *',
      'state/session-store.ts · count · *',
      'state/session-store.ts · noteWrongPassword · *',
      'state/session-store.ts · isLocked · *',
      'v1/sessions.ts · locked · *',
      'v1/sessions.ts · hasAll · *',
      'v1/sessions.ts · userOf · statement dropped · call.check(!locked, *',
      'v1/sessions.ts · userOf · statement dropped · call.check(!hasAll, *',
      'v1/sessions.ts · userOf · * · !right && user !== undefined*',
      'v1/sessions.ts · userOf · negation dropped · !right*',
      'v1/sessions.ts · userOf · comparison negated · user !== undefined*',
      'v1/sessions.ts · userOf · * · sessions.noteWrongPassword*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a session does not end by time, and one that was ended is refused before',
    mutants: [
      'state/session-store.ts · isOver · * operand dropped*',
      'state/session-store.ts · isOver · boundary shifted*',
      'state/session-store.ts · isOver · arithmetic turned · this.#rules.sessionLifetimeSeconds * 1000*',
      'state/session-store.ts · isOver · off by one*',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 23: that a temporary token is found, and how long, is a should; the same or another one is observed',
    mutants: [
      'state/temporary-tokens.ts · *',
      'v3/cards.ts · token · parameters swapped*',
      'v3/cards.ts · byToken · left operand dropped*',
      "v3/cards.ts · getCard · condition always false · byToken ? 'temporary-token'*",
      "v3/find-card.ts · lookUp · condition always true · by === 'proxy'*",
      'v3/find-card.ts · lookUp · left operand dropped · backend.temporaryTokens*',
      'v3/find-card.ts · lookUp · parameters swapped · backend.temporaryTokens*',
    ],
  },
  {
    why: 'free',
    reason:
      'how tokens are spelled and whether one is handed out again is not shown; reading 15: 59 and 61 minutes are judged, not milliseconds',
    mutants: [
      'state/token-store.ts · issue · condition always false · tokenReuse*',
      'state/token-store.ts · issue · * operand dropped · tokenReuse*',
      'state/token-store.ts · issue · condition always false · issuingEndsEarlierTokens*',
      'state/token-store.ts · text · *',
      'state/token-store.ts ·  · off by one · 32 -> 33',
      'state/token-store.ts · expired · boundary shifted · nowMs*',
      'state/token-store.ts · expired · off by one*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a token has no number of uses, and is ended by nothing but time',
    mutants: [
      'state/token-store.ts · expired · * operand dropped · token.ended*',
      'state/token-store.ts · expired · boundary shifted · token.uses*',
      'state/token-store.ts · issue · statement dropped · this.#latest*',
      'state/token-store.ts · recognise · statement dropped · token.uses*',
      'state/token-store.ts · uses · *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
    mutants: [
      'state/token-store.ts · edgeLength · *',
      'state/token-store.ts · issue · * · payload ?? text.slice(0, edgeLength)*',
      'state/token-store.ts · issue · * · signature ?? text.slice(-edgeLength)*',
      'state/token-store.ts · issue · * · text.slice(*',
      'state/token-store.ts · issue · statement dropped · this.#parts.set*',
      'state/token-store.ts · issue · off by one · 0 -> 1',
      'state/token-store.ts · recognise · * · payload !== undefined*',
      'state/token-store.ts · recognise · * · signature !== undefined*',
      'state/token-store.ts · recognise · condition always * · samePayload*',
      'state/token-store.ts · as · condition always * · sameSignature*',
      'state/token-store.ts · as · condition always * · source*',
      'state/token-store.ts · source · *',
      'v1/sessions.ts · sessionOf · condition always false*',
      'v1/sessions.ts · sessionOf · * · *sessions.isOver(session, call.nowMs)*',
      'v3/authenticate.ts · authenticate · right operand dropped*',
      'v3/authenticate.ts · scheme · *',
      'v3/authenticate.ts · text · condition always false*',
      'v3/authenticate.ts · text · boundary shifted*',
      'v3/authenticate.ts · text · off by one*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 17: another scheme is judged, not what stands around the header',
    mutants: ['v3/authenticate.ts · text · trim forgotten*'],
  },
];

const equivalent: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'numbers, flags and objects are compared, not texts',
    mutants: [
      'v1/customers.ts · isWithin · compared by *',
      'v1/customers.ts · belongs · compared by *',
      'v1/customers.ts · byDefault · compared by *',
      'v1/orders.ts · * · compared by * · *custProgId === program.rowId*',
      'v1/orders.ts · belongs · compared by *',
      'v3/cards.ts · sameKind · compared by *',
      'v3/transfer.ts · toItself · compared by *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'what is absent was refused before, or is as good as empty',
    mutants: [
      'v1/cip.ts · within · left operand dropped · value === undefined*',
      'v1/cip.ts · length · right operand dropped*',
      'v1/cip.ts · outcome · right operand dropped*',
      'v1/customers.ts · shown · condition always false*',
      'v1/customers.ts · askedCustomer · condition always false*',
      'v1/customers.ts · showAutoCreated · right operand dropped*',
      'v1/customers.ts · showBranded · right operand dropped*',
      'v1/order-body.ts · orderProdType · right operand dropped*',
      'v1/order-body.ts · readOrder · condition always true · body.orderProdType*',
      'v1/order-body.ts · items · right operand dropped*',
      'v1/orders.ts · customer · right operand dropped*',
      'v1/orders.ts · ownCustomerId · *',
      'v1/orders.ts · firstProgram · *',
      'v1/orders.ts · programOf · condition always false · order.custProgId === undefined*',
      'v1/orders.ts · programOf · right operand dropped · program ?? firstProgram*',
      "v1/orders.ts · checkOptions · condition always true · order.orderProdType !== ''*",
      'v1/orders.ts · checkOptions · condition always false · order.totalValue === undefined*',
      'v1/sessions.ts · forbidden · right operand dropped*',
      'v1/sessions.ts · id · right operand dropped*',
      'v1/sessions.ts · session · right operand dropped*',
      'v1/sessions.ts · userOf · right operand dropped · user !== undefined || loginId === undefined*',
      'v1/sessions.ts · userOf · right operand dropped · user ?? firstUser*',
      'v1/sessions.ts · right · * operand dropped*',
      'v1/sessions.ts · logout · condition always true*',
      'v3/cards.ts · byToken · right operand dropped*',
      'v3/cards.ts · byProxy · right operand dropped*',
      'v3/cards.ts · held · right operand dropped*',
      'v3/cards.ts · sameProgram · left operand dropped*',
      'v3/cards.ts · sameKind · left operand dropped*',
      'v3/find-card.ts · lookUp · right operand dropped*',
      'v3/find-card.ts · value · right operand dropped*',
      'v3/find-card.ts · findCard · statement dropped · call.card = found ?? *',
      'v3/find-card.ts · card · right operand dropped*',
      'v3/listing.ts · pageSize · * operand dropped · size ?? byDefault*',
      'v3/listing.ts · position · right operand dropped*',
      'v3/listing.ts · results · off by one*',
      'v3/transfer.ts · exact · condition always false*',
      'v3/transfer.ts · target · condition always false*',
      'v3/transfer.ts · paysTo · left operand dropped*',
      'v3/transfer.ts · receiverIdentifier · *',
      'v3/users.ts · identifier · *',
      'v3/users.ts · customer · right operand dropped*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'the last customer, card and program are of another tenant, and one has each name',
    mutants: [
      'v1/customers.ts · items · last element left out · call.world.data.*',
      'v1/cip.ts · known · findLast for find*',
      'v1/orders.ts · * · findLast for find*',
      'v1/sessions.ts · user · findLast for find*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'no customer has a number below zero',
    mutants: ['v1/customers.ts · at · *'],
  },
];

const sandboxCip: readonly Explained[] = [
  {
    why: 'equivalent',
    reason: 'three digits are out of the range of months and days; every number has its limits',
    mutants: ['v1/cip.ts · most · off by one · 2 -> 3', 'v1/cip.ts · checkNumber · right operand dropped*'],
  },
  {
    why: 'free',
    reason: 'readings 39 and 46: fewer digits, numbers of zeros, and dates that do not exist are shoulds or not judged',
    mutants: [
      'v1/cip.ts · least · off by one · 1 -> 2',
      'v1/cip.ts · checkNumber · boundary shifted · value >= 0*',
      'v1/cip.ts · checkNumber · off by one*',
      'v1/cip.ts · within · comparison negated*',
      'v1/cip.ts · within · * operand dropped · (Number(value) >= 1 && *',
      'v1/cip.ts · within · boundary shifted*',
      'v1/cip.ts · checkRange · *',
      'v1/cip.ts · getCIPCheck · statement dropped · checkRange*',
      'v1/cip.ts · getCIPCheck · off by one · 12 -> 13',
      'v1/cip.ts · getCIPCheck · off by one · 31 -> 32',
    ],
  },
  {
    why: 'undecided',
    reason: 'reading 47: every check is refused, that of a person of the fixtures, too',
    mutants: [
      'v1/cip.ts · least · off by one · 4 -> 5',
      'v1/cip.ts · * · parameters swapped*',
      'v1/cip.ts · checkNumber · boundary shifted · count *',
      'v1/cip.ts · within · right operand dropped · value === undefined*',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 38: by what a person is found is not shown, nor what is asked, what an unknown one gets, or what the messages say',
    mutants: [
      'v1/cip.ts · known · right operand dropped*',
      'v1/cip.ts · known · compared by *',
      'v1/cip.ts · outcomeOf · right operand dropped*',
      'v1/cip.ts · questionsFor · * · kind === *',
      'v1/cip.ts · number · *',
      'v1/cip.ts · cipChecks · *',
      'v1/cip.ts · getCIPCheck · statement dropped · *call.world.cipChecks += 1*',
      'v1/cip.ts · Idnumber · *',
      'v1/cip.ts · Error · *',
    ],
  },
];

const sandboxPortal: readonly Explained[] = [
  {
    why: 'free',
    reason: 'reading 5: members of a customer may be absent',
    mutants: ['v1/customers.ts · shown · condition always true*', 'v1/customers.ts · shown · comparison negated*'],
  },
  {
    why: 'free',
    reason: 'reading 37: which customers getCustomerList has is not shown',
    mutants: [
      'v1/customers.ts · items · first element only · call.world.data.portalCustomers*',
      'v1/customers.ts · items · * · items.map(shown)*',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 40: what showAutoCreated selects and the customer of an item are shoulds, showBranded is observed; the programs of the fixtures are listed',
    mutants: [
      'v1/customers.ts · chosen · *',
      'v1/customers.ts · byDefault · right operand dropped*',
      'v1/customers.ts · items · last element left out · items.map(({ rowId*',
    ],
  },
  {
    why: 'free',
    reason: 'readings 41, 45 and 46: fees, places and pages of machines are observed',
    mutants: ['v1/places.ts · *'],
  },
  {
    why: 'undecided',
    reason: 'reading 47: no login of that user is accepted',
    mutants: ['v1/sessions.ts · user · first element only*', 'v1/sessions.ts · user · last element left out*'],
  },
  {
    why: 'free',
    reason:
      'no sentence says that blanks around a value belong to it, or that what names a user or a client differs by case alone',
    mutants: [
      'v1/sessions.ts · user · compared by case*',
      'v1/sessions.ts · user · compared by trim*',
      'v1/sessions.ts · right · compared by trim*',
      'v3/token.ts · issueToken · compared by case · id === clientId*',
      'v3/token.ts · issueToken · compared by trim*',
    ],
  },
  {
    why: 'missed',
    reason: 'readings 32 and 52: one form of a wrong password per run, and of an unknown user; others by other seeds',
    mutants: [
      'v1/sessions.ts · right · compared by case*',
      'v1/sessions.ts · right · compared by prefix*',
      'v1/sessions.ts · user · compared by prefix*',
    ],
  },
  {
    why: 'undecided',
    reason: 'reading 43: what is accepted of orders is judged where the base order of the fixtures is',
    mutants: ['v1/order-body.ts · items · parameters swapped*', 'v1/orders.ts · program · parameters swapped*'],
  },
  {
    why: 'undecided',
    reason: 'readings 46 and 47: each order after the first of a program is refused, which may be a rule of the target',
    mutants: [
      'v1/orders.ts · sameOrder · right operand dropped · order.externalIdentifier*-> order.externalIdentifier !== undefined',
      'v1/orders.ts · sameOrder · comparison negated · earlier.externalIdentifier*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 13 is about cards: the scope gives full access to user calls',
    mutants: ['v3/users.ts · found · condition always true*'],
  },
];

const sandboxOrders: readonly Explained[] = [
  {
    why: 'undecided',
    reason: 'reading 47: every order, or every one of a program, is refused, the one that the fixtures give, too',
    mutants: [
      'v1/order-body.ts · isObject · comparison negated*',
      'v1/order-body.ts · isObject · negation dropped*',
      'v1/order-body.ts · item · condition always false*',
      'v1/order-body.ts · otherInfo · left operand dropped*',
      'v1/order-body.ts · amountCents · right operand dropped*',
      'v1/order-body.ts · amountCents · off by one · 0 -> 1',
      'v1/order-body.ts · orderProdType · left operand dropped*',
      'v1/order-body.ts · readOrder · * · details?.length !== 0*',
      'v1/order-body.ts · readOrder · off by one*',
      'v1/order-body.ts · readOrder · * · qty === undefined*',
      'v1/order-body.ts · readOrder · boundary shifted · qty*',
      'v1/order-body.ts · cardType · *',
      'v1/orders.ts · customer · left operand dropped · order.customerId ?? ownCustomerId ?? 0*',
      'v1/orders.ts · programOf · comparison negated*',
      'v1/orders.ts · programOf · flag flipped*',
      'v1/orders.ts · belongs · right operand dropped · !program || !customer || *',
      'v1/orders.ts · belongs · comparison negated*',
      'v1/orders.ts · byDefault · left operand dropped*',
      'v1/orders.ts · byDefault · last element left out*',
      "v1/orders.ts · checkOptions · * · order.cardType === 'Digital'*",
      'v1/orders.ts · checkOptions · condition always false · !loads && !order.totalValue*',
      'v1/orders.ts · checkOptions · negation dropped · !loads*',
      'v1/orders.ts · checkOptions · negation dropped · !order.totalValue*',
      'v1/orders.ts · checkOtherInfo · condition always false · !program.uniqueOtherInfo*',
      'v1/orders.ts · checkOtherInfo · * · otherInfo === undefined*',
      'v1/orders.ts · checkOtherInfo · * · *earlier.has(otherInfo)*',
      'v1/orders.ts · checkOtherInfo · negation dropped · !inOrder.has(otherInfo)*',
      'v1/orders.ts · checkOtherInfo · always there · inOrder.has(otherInfo)*',
      'v1/orders.ts · sameOrder · left operand dropped · order.externalIdentifier !== undefined*',
      'v1/orders.ts · newOrder · left operand dropped*',
      'v1/orders.ts · newOrder · negation dropped*',
      'v1/orders.ts · newLoad · left operand dropped*',
      'v1/orders.ts · newLoad · negation dropped*',
    ],
  },
  {
    why: 'undecided',
    reason:
      'reading 44: where an orderId stands alone, or each order has the same, nothing shows whether another one is made, and orders are accepted until no more may be',
    mutants: [
      'v1/orders.ts · count · min for max*',
      'v1/orders.ts · orderCards · statement dropped · *world.orders.push(order)*',
    ],
  },
  {
    why: 'free',
    reason: 'readings 6 and 8: a wrong type is a should, and what is sent and empty is observed',
    mutants: [
      'v1/order-body.ts · isObject · * operand dropped*',
      'v1/order-body.ts · readItem · *',
      'v1/order-body.ts · item · condition always true*',
      'v1/order-body.ts · otherInfo · right operand dropped*',
      'v1/order-body.ts · externalIdentifier · right operand dropped*',
      'v1/order-body.ts · readOrder · statement dropped · call.check(details?.length*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a type that is not listed is one that no program takes, and is refused for that',
    mutants: ['v1/order-body.ts · isListedOrderType · *', 'v1/orders.ts · byDefault · right operand dropped*'],
  },
  {
    why: 'free',
    reason:
      'reading 42: which of the listed types a program takes, and how many cards of an instant issue, is observed',
    mutants: [
      'v1/order-body.ts · readOrder · statement dropped · call.check(qty*',
      "v1/orders.ts · checkOptions · condition always false · order.orderProdType !== ''*",
      "v1/orders.ts · checkOptions · comparison negated · order.orderProdType !== ''*",
      'v1/orders.ts · byDefault · first element only*',
      'v1/orders.ts · byDefault · negation dropped*',
      'v1/orders.ts · checkOptions · statement dropped · call.check(taken*',
      'v1/orders.ts · count · condition always *',
      'v1/orders.ts · count · * operand dropped*',
      'v1/orders.ts · count · off by one · 0 -> 1',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 13, 42 and 46: that an order of another or an unknown customer or program is refused is a should, and which go together is a rule of the target',
    mutants: [
      'v1/orders.ts · customer · left operand dropped · order.customerId ?? ownCustomerId -> *',
      'v1/orders.ts · programOf · statement dropped · call.check(*',
      'v1/orders.ts · belongs · left operand dropped*',
      'v1/orders.ts · belongs · right operand dropped · !program || !customer -> *',
      'v1/orders.ts · belongs · negation dropped*',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 44: a load without identifier or total need not be refused for that; totalValue alone is not a load',
    mutants: [
      'v1/orders.ts · checkOptions · right operand dropped · !loads && !order.totalValue*',
      'v1/orders.ts · checkOptions · condition always * · !loads*',
      'v1/orders.ts · checkOptions · negation dropped · !loads -> loads',
      'v1/orders.ts · positive · *',
      'v1/orders.ts · checkOptions · statement dropped · call.check(positive*',
      'v1/orders.ts · sum · off by one*',
      'v1/orders.ts · fits · *',
      'v1/orders.ts · checkOptions · statement dropped · call.check(fits*',
      'v1/orders.ts · checkOptions · statement dropped · call.check(identified*',
      'v1/order-body.ts · amountCents · floor for round*',
      'v1/order-body.ts · amountCents · off by one · 100 -> 101',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 46: more is refused than must be, for identifiers that resemble others or were used on another program',
    mutants: [
      'v1/orders.ts · checkOtherInfo · condition always true · custProgId === program.rowId*',
      'v1/orders.ts · sameOrder · compared by * · earlier.externalIdentifier === order.externalIdentifier*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; an order may be answered as the first',
    mutants: [
      'v1/order-body.ts · externalIdentifier · left operand dropped · (item.externalIdentifier*',
      'v1/orders.ts · checkOtherInfo · statement dropped · call.check(!inOrder.has*',
      'v1/orders.ts · checkOtherInfo · statement dropped · inOrder.add*',
      'v1/orders.ts · sameLoad · *',
      'v1/orders.ts · wanted · *',
      'v1/orders.ts · earlierLoad · *',
      'v1/orders.ts · repeated · right operand dropped · earlierOrder && *',
      'v1/orders.ts · repeated · * · *earlierLoad*',
      "v1/orders.ts · repeated · comparison negated · duplicateLoads === 'repeat'*",
      'v1/orders.ts · repeated · statement dropped · call.check(newLoad*',
      'v1/orders.ts · newLoad · comparison negated*',
      'v1/orders.ts · amountCents · *',
    ],
  },
  {
    why: 'equivalent',
    reason: 'what is repeated is refused, and neither accepted nor answered as the first',
    mutants: [
      'v1/orders.ts · sameOrder · left operand dropped · (everywhere || *',
      'v1/orders.ts · repeated · condition always false · earlierOrder && *',
      'v1/orders.ts · repeated · left operand dropped · earlierOrder && *',
      'v1/orders.ts · newOrder · right operand dropped*',
      'v1/orders.ts · newLoad · right operand dropped*',
      'v1/orders.ts · orderCards · condition always false · earlierAnswer !== undefined*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 44: orderId and proxy in an answer are shoulds, and how they are spelled is not shown',
    mutants: [
      'v1/orders.ts · defaultAnswer · *',
      'v1/orders.ts · orderId · *',
      'v1/orders.ts · count · off by one · 1 -> 2',
      'v1/orders.ts · length · *',
      'v1/orders.ts · proxy · *',
    ],
  },
];

const sandboxCards: readonly Explained[] = [
  {
    why: 'free',
    reason:
      'readings 29 and 50: that a closed card is closed again, or one with a balance is not, and which may be provisioned, is observed',
    mutants: [
      'v3/card-operations.ts · close · statement dropped · checkState(*',
      'v3/card-operations.ts · mayClose · left operand dropped*',
      'v3/card-operations.ts · markWalletProvisioned · statement dropped · checkState(*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'a card with a balance is closed',
    mutants: [
      'v3/card-operations.ts · mayClose · right operand dropped*',
      'v3/card-operations.ts · close · statement dropped · call.check(mayClose*',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 5 and 26: members of a record may be absent, when it was updated is not shown, and the date of provisioning is a should',
    mutants: [
      'v3/card-operations.ts · markWalletProvisioned · statement dropped · card.provisionedDate*',
      'v3/card-operations.ts · * · statement dropped · touch(call, card)*',
      'v3/cards.ts · shownCard · *',
      'v3/cards.ts · tinyUrl · *',
      'v3/states.ts · move · statement dropped · touch(call, card)*',
      'v3/states.ts · touch · statement dropped · card.lastUpdateDate*',
      'v3/transfer.ts · moveMoney · statement dropped · touch(call, *',
      'v3/transfer.ts · moveMoney · * · target && !toItself*',
      'v3/transfer.ts · moveMoney · negation dropped · !toItself*',
    ],
  },
  {
    why: 'undecided',
    reason: 'reading 47: each PIN is refused',
    mutants: ['v3/card-operations.ts · digits · right operand dropped*'],
  },
  {
    why: 'free',
    reason:
      'readings 10 and 30: in which states a PIN is set, a card reissued or encrypted, what a PIN and a reissue do, and a repeated nonce are not judged',
    mutants: [
      'v3/card-operations.ts · reissue · *',
      'v3/card-operations.ts · digits · *',
      'v3/card-operations.ts · setPin · *',
      'v3/card-operations.ts · pin · *',
      'v3/card-operations.ts · encryptForVde · *',
      'v3/card-operations.ts · payload · *',
    ],
  },
  { why: 'free', reason: 'reading 31: what is only listed is observed', mutants: ['v3/cardholders.ts · *'] },
  {
    why: 'equivalent',
    reason: 'who holds a card of ours holds none of another tenant',
    mutants: ['v3/cards.ts · seen · filter forgotten*'],
  },
  {
    why: 'undecided',
    reason:
      'reading 22: that there are 50 where more exist is judged where more are known to exist, and each listing has one here',
    mutants: [
      'v3/cards.ts · seen · first element only*',
      'v3/cards.ts · results · first element only*',
      'v3/cards.ts · found · first element only*',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 11 and 22: an unknown value of a filter is observed, save where it gives everything, and the match of the fixtures is found',
    mutants: [
      'v3/cards.ts · matching · last element left out*',
      'v3/cards.ts · matching · compared by case*',
      'v3/cards.ts · matching · compared by trim*',
      'v3/cards.ts · listCards · * · matching.length === 0*',
      'v3/cards.ts · listCards · off by one*',
      'v3/cards.ts · listCards · * · !world.ownCards.some(*',
      'v3/cards.ts · listCards · * · world.ownCards.some(*',
      'v3/cards.ts · listCards · * · card[name] === value*',
      "v3/cards.ts · listCards · condition always * · then === '*",
      "v3/cards.ts · listCards · comparison negated · then === '*",
      'v3/users.ts · isKnown · *',
      'v3/users.ts · listCustomers · * · !isKnown(*',
      "v3/users.ts · listCustomers · condition always * · then === '*",
      "v3/users.ts · listCustomers · comparison negated · then === '*",
    ],
  },
  {
    why: 'free',
    reason: 'reading 22: what continues the listing of cards is observed, and so is max beyond what is documented',
    mutants: [
      'v3/cards.ts · listCards · condition always false · !rules.cardsContinue*',
      'v3/cards.ts · listCards · negation dropped · !rules.cardsContinue*',
      'v3/listing.ts · largestPage · off by one · 1000*',
      'v3/listing.ts · within · left operand dropped*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 24: with another programIdentifier or isDigital the card meant may be found',
    mutants: [
      'v3/cards.ts · sameProgram · comparison negated · programIdentifier === undefined*',
      'v3/cards.ts · sameProgram · compared by *',
      'v3/cards.ts · sameKind · comparison negated · isDigital === undefined*',
      'v3/cards.ts · getCard · statement dropped · call.check(same*',
    ],
  },
  {
    why: 'equivalent',
    reason: 'the record of the sandbox does not lag',
    mutants: [
      'v3/cards.ts · get* · statement dropped · refreshRecord*',
      'v3/states.ts · touch · statement dropped · refreshRecord*',
      'v3/states.ts · refreshRecord · *',
    ],
  },
  {
    why: 'free',
    reason: 'reading 25: which cards are related, the card itself among them, is not shown',
    mutants: ['v3/cards.ts · others · *'],
  },
  {
    why: 'free',
    reason: 'reading 19: an invented token is observed, and how a walk ends is free',
    mutants: ['v3/listing.ts · position · statement dropped*', 'v3/listing.ts · continuation · *'],
  },
];

const sandboxToken: readonly Explained[] = [
  {
    why: 'free',
    reason:
      'reading 16: grants, scopes, media types and missing members of the token request are observed, credentials in a header are not shown, and no-store is a should',
    mutants: [
      'v3/token.ts · encoded · *',
      'v3/token.ts · basicCredentials · *',
      'v3/token.ts · sent · *',
      'v3/token.ts · id · *',
      'v3/token.ts · secret · *',
      'v3/token.ts · issueToken · statement dropped · call.check(form !== undefined*',
      'v3/token.ts · issueToken · * · grantType *',
      'v3/token.ts · issueToken · * · rules.requires(call.id, *',
      'v3/token.ts · issueToken · flag flipped*',
      "v3/token.ts · issueToken · statement dropped · call.check(*'grant_type'*",
      'v3/token.ts · issueToken · statement dropped · call.check(asked === scope*',
      'v3/token.ts · issueToken · * · asked === undefined*',
      'v3/token.ts · issueToken · compared by * · asked === scope*',
      'v3/token.ts · issueToken · statement dropped · call.headers*',
      'v3/token.ts · resource · *',
    ],
  },
  {
    why: 'free',
    reason:
      'reading 14: a time that is neither in seconds nor in milliseconds is a should, and no token is handed out again',
    mutants: ['v3/token.ts · issuedAt · arithmetic turned*', 'v3/token.ts · remaining · *'],
  },
  { why: 'free', reason: 'reading 31: authorize is observed', mutants: ['v3/token.ts · clientId · *'] },
];

const sandboxTransfer: readonly Explained[] = [
  {
    why: 'free',
    reason:
      'reading 27: zero and parts of a cent are observed, and so are transfers to a suspended card, of more than the balance and of all of it',
    mutants: [
      'v3/transfer.ts · readAmount · *',
      'v3/transfer.ts · isWhole · *',
      'v3/transfer.ts · paysTo · negation dropped*',
      'v3/transfer.ts · transfer · statement dropped · call.check(paysTo*',
      'v3/transfer.ts · transfer · statement dropped · call.check(cents <= source.balanceCents*',
      'v3/transfer.ts · transfer · boundary shifted · cents <= source.balanceCents*',
    ],
  },
  {
    why: 'missed',
    reason:
      'reading 46: amounts that the fixtures promise are refused (1.15); reading 27 accuses a transfer that is refused however it is asked for, and no single amount',
    mutants: ['v3/transfer.ts · whole · floor for round*'],
  },
  {
    why: 'equivalent',
    reason: 'only whole cents come so far, and no transfer of a card to itself',
    mutants: [
      'v3/transfer.ts · cents · condition always *',
      'v3/transfer.ts · debits · *',
      'v3/transfer.ts · credits · *',
      'v3/transfer.ts · moveMoney · * · debits -> *',
      'v3/transfer.ts · moveMoney · * · credits && target*',
    ],
  },
  {
    why: 'free',
    reason:
      'readings 8 and 27: a wrong type is a should, to itself no money moves either way, and what the answer gives beside its amount is observed',
    mutants: [
      'v3/transfer.ts · fields · *',
      'v3/transfer.ts · transfer · statement dropped · call.check(target !== source*',
      'v3/transfer.ts · status · *',
      'v3/transfer.ts · comment · *',
    ],
  },
  {
    why: 'free',
    reason: 'reading 27: a refusal may be a 200 that says so',
    mutants: ['v3/transfer.ts · isPath · *', 'v3/transfer.ts · softRefusal · *'],
  },
];

const sandboxUsers: readonly Explained[] = [
  {
    why: 'free',
    reason:
      'reading 20: the match of the fixtures is found, and its mismatch is not; whether case counts, how deep it is looked, and whether a parent is found within itself is not shown',
    mutants: [
      'v3/users.ts · matches · compared by *',
      'v3/users.ts · matches · condition always *',
      'v3/users.ts · matches · last element left out*',
      'v3/users.ts · found · last element left out*',
    ],
  },
  {
    why: 'free',
    reason: 'reading 13: access to users is full; what is foreign is judged of cards and of the portal',
    mutants: ['v3/users.ts · findCustomer · statement dropped*', 'v3/users.ts · customer · left operand dropped*'],
  },
  {
    why: 'free',
    reason: 'reading 10: what permissions do is not readable',
    mutants: ['v3/users.ts · setPermissions · *'],
  },
];

const sandbox: readonly Explained[] = [
  ...state,
  ...equivalent,
  ...sandboxCip,
  ...sandboxPortal,
  ...sandboxOrders,
  ...sandboxCards,
  ...sandboxToken,
  ...sandboxTransfer,
  ...sandboxUsers,
];

/** Explanations of survivors by the target whose source was mutated; the first that fits counts. */
export const survivors: Record<Subject['name'], readonly Explained[]> = { sandbox, 'second-target': secondTarget };
