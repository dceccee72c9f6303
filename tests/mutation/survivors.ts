/** Why mutants survive: each that does is here, or the score fails. */
import type { Subject } from './build.ts';

export interface Explained {
  /** Patterns over `keyOf`, in which `*` stands for anything. */
  mutants: readonly string[];
  /**
   * `equivalent`: no request can tell. `free`: what shows breaks no documented must: the reason names the reading.
   * `undecided`: a must becomes inconclusive, as the reading wants that the reason names. `missed`: it breaks a must, and
   * the suite does not see it; the reason says why not.
   */
  why: 'equivalent' | 'free' | 'undecided' | 'missed';
  reason: string;
}

const secondTarget: readonly Explained[] = [
  {
    mutants: ['choices.ts · familyBelow · last element left out*'],
    why: 'equivalent',
    reason: 'the last child of each level is named by no fixture; reading 20 asks for the child of the fixtures',
  },
  ...['scramble', 'identifier', 'word', 'v1Id', 'customer', 'program', 'user', 'accessToken', 'sessionId'].map(
    (inside): Explained => ({
      mutants: [`choices.ts · ${inside} · *`],
      why: 'free',
      reason: 'how identifiers, tokens and sessions are spelled is free',
    }),
  ),
  {
    mutants: ['choices.ts · tokenLifetime · off by one*'],
    why: 'free',
    reason: 'reading 15: 59 and 61 minutes are judged, not seconds',
  },
  {
    mutants: ['choices.ts · bearer · *'],
    why: 'free',
    reason: 'reading 17: another scheme is judged, not what stands around the header',
  },
  {
    mutants: ['choices.ts · * · compared by trim*'],
    why: 'free',
    reason: 'blanks around a value may be taken off before it is compared: no sentence says that they belong to it',
  },
  {
    mutants: ['choices.ts · isSame · compared by *'],
    why: 'free',
    reason:
      'readings 11 and 52: identifiers of fewer than 15 characters may be numbers in a row, so what resembles one is not tried',
  },
  {
    mutants: ['choices.ts · guardFirst · *'],
    why: 'free',
    reason: 'reading 47: another refusal than 401 tells as much where the right twin is accepted',
  },
  ...['unused', 'active', 'suspended', 'deactivated', 'fraud', 'lost', 'closed'].map(
    (inside): Explained => ({
      mutants: [`choices.ts · ${inside} · off by one*`],
      why: 'free',
      reason: 'reading 26: how numbers correspond to states is observed',
    }),
  ),
  { mutants: ['choices.ts · dateTime · *'], why: 'free', reason: 'reading 4: any offset and any time is a date-time' },
  {
    mutants: ['choices.ts · date · slice forgotten*'],
    why: 'free',
    reason: "reading 4: a transfer's date is either form",
  },
  { mutants: ['choices.ts · weight · *'], why: 'free', reason: 'reading 4: undocumented members are allowed' },
  { mutants: ['choices.ts · portalError · *'], why: 'free', reason: 'the fields of error objects are not shown' },
  {
    mutants: ['choices.ts · cardsMost · off by one*'],
    why: 'free',
    reason: 'reading 22: the upper bound of max on cards is not shown',
  },
  { mutants: ['choices.ts · *Order · arithmetic turned*'], why: 'free', reason: 'the order of a listing is not shown' },
  {
    mutants: ['choices.ts · ownerMatches · compared by case*'],
    why: 'free',
    reason: 'reading 22: an unknown value of a filter is observed, save where it gives everything',
  },
  {
    mutants: ['choices.ts · recordsLag · *'],
    why: 'free',
    reason: 'reading 10: a record may lag until it is refreshed, or not',
  },
  { mutants: ['choices.ts · least · *'], why: 'free', reason: 'reading 46: a least amount is a rule of the target' },
  { mutants: ['choices.ts · pin · anchor dropped*'], why: 'free', reason: 'the form of a PIN is not shown' },
  { mutants: ['choices.ts · nonceReusable · *'], why: 'free', reason: 'reading 30: a repeated nonce is observed' },
  {
    mutants: ['choices.ts · relatedTo · *'],
    why: 'free',
    reason: 'which cards are related is not shown; reading 25 asks for one',
  },
  {
    mutants: ['choices.ts · hierarchy · condition always true*'],
    why: 'equivalent',
    reason: 'each customer that is asked for has a parent',
  },
  {
    mutants: ['choices.ts · programShown · *'],
    why: 'free',
    reason: 'reading 40: showAutoCreated is a should, showBranded observed',
  },
  ...['most', 'first', 'count'].map(
    (inside): Explained => ({
      mutants: [`choices.ts · ${inside} · off by one*`],
      why: 'free',
      reason: 'reading 45: the pages of machines are observed',
    }),
  ),
  {
    mutants: ['choices.ts · orderReply · *'],
    why: 'free',
    reason: 'reading 44: orderId and proxy in an answer are shoulds',
  },
  { mutants: ['choices.ts · wholeOrders · *'], why: 'free', reason: 'a freedom that nothing here uses' },
  { mutants: ['choices.ts · chunk · *'], why: 'equivalent', reason: 'how a body is cut on its way' },
  {
    mutants: ['world.ts · * · off by one*'],
    why: 'equivalent',
    reason: 'series, clocks and histories begin elsewhere; a second is less than is judged',
  },
  {
    mutants: ['world.ts · alter · *'],
    why: 'equivalent',
    reason: 'the history serves replicas, of which there are none here',
  },
  {
    mutants: ['operations/card-changes.ts · state · *'],
    why: 'equivalent',
    reason: 'a state without transition was refused before',
  },
  {
    mutants: ['operations/card-changes.ts · transition · condition always true*'],
    why: 'free',
    reason: 'when a record says that it was updated is free',
  },
  {
    mutants: ['operations/card-changes.ts · cardIn · *'],
    why: 'free',
    reason: 'readings 29 and 50: in which states a card may be provisioned, reissued or given a PIN is not shown',
  },
  {
    mutants: ['operations/card-changes.ts · bad · *'],
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should; reading 30: the members of reissue are not required',
  },
  {
    mutants: ['operations/card-changes.ts · reissue · statement dropped*'],
    why: 'free',
    reason: 'readings 8 and 10: a wrong type is a should, and what a reissue does is not readable',
  },
  {
    mutants: ['operations/card-changes.ts · * · parameters swapped · touch(x, card, {})*'],
    why: 'free',
    reason: 'the connection is cut: reading 9, unavailable, so that nothing follows',
  },
  {
    mutants: ['operations/card-changes.ts · setPin · *'],
    why: 'free',
    reason: 'readings 8, 10 and 46: the form of a PIN is a rule of the target, and what it does is not readable',
  },
  { mutants: ['operations/cardholders.ts · *'], why: 'free', reason: 'reading 31: what is only listed is observed' },
  {
    mutants: ['operations/cards.ts · selected · last element left out*'],
    why: 'free',
    reason: 'the last card is one of another customer',
  },
  {
    mutants: ['operations/cards.ts · selected · compared by *'],
    why: 'free',
    reason:
      'reading 22: an unknown value of a filter is observed, save where it gives everything; no listed value is the beginning of another',
  },
  {
    mutants: ['operations/cards.ts · byProxy · *'],
    why: 'free',
    reason:
      'reading 24: with a wrong programIdentifier the card meant may be found, and another one with that proxy may be without owner in reach; blanks and an empty program are not tried',
  },
  {
    mutants: ['operations/cip.ts · isWhole · left operand dropped*'],
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should',
  },
  {
    mutants: ['operations/cip.ts · isWhole · boundary shifted*'],
    why: 'free',
    reason: 'reading 46: which zip, day or number a target believes is its rule',
  },
  {
    mutants: ['operations/cip.ts · checkPerson · parameters swapped*'],
    why: 'free',
    reason: 'reading 46: it refuses more than it must; the persons of the fixtures are below',
  },
  { mutants: ['operations/cip.ts · born · *'], why: 'free', reason: 'reading 39: days that no month has are a should' },
  { mutants: ['operations/cip.ts · real · *'], why: 'free', reason: 'reading 39: days that no month has are a should' },
  {
    mutants: ['operations/cip.ts · checkPerson · negation dropped*'],
    why: 'free',
    reason: 'reading 39: days that no month has are a should',
  },
  {
    mutants: ['operations/cip.ts · person · last element left out*'],
    why: 'free',
    reason: 'by what a person is found is not shown',
  },
  {
    mutants: ['operations/guard.ts · requireToken · condition always false · presented === undefined*'],
    why: 'equivalent',
    reason: 'a request without a token was refused the line before',
  },
  {
    mutants: ['operations/guard.ts · * · statement dropped · x.admitted*'],
    why: 'equivalent',
    reason: 'only faults and freedoms look at it',
  },
  {
    mutants: ['operations/order-rules.ts · loads · left operand dropped*'],
    why: 'free',
    reason: 'order rule 4: a load has an amount per card; totalValue alone is none',
  },
  {
    mutants: ['operations/order-rules.ts · marked · *'],
    why: 'free',
    reason: 'reading 44: the Duplicate Load Checker is a should',
  },
  {
    mutants: ['operations/order-rules.ts · otherInfo · left operand dropped*'],
    why: 'free',
    reason: 'reading 46: more is refused than must be',
  },
  {
    mutants: ['operations/order-rules.ts · texts · filter forgotten*'],
    why: 'equivalent',
    reason: 'what is absent is not compared',
  },
  {
    mutants: ['operations/orders.ts · checkFields · *'],
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should',
  },
  {
    mutants: ['operations/orders.ts · checkShape · first element only*'],
    why: 'free',
    reason: 'reading 8: a wrong type in a body is a should',
  },
  {
    mutants: ['operations/orders.ts · checkValues · last element left out*'],
    why: 'free',
    reason: 'reading 42: refusal of a listed type is observed',
  },
  {
    mutants: ['operations/orders.ts · programOf · last element left out*'],
    why: 'free',
    reason: 'reading 42: refusal of a listed type is observed',
  },
  {
    mutants: ['operations/orders.ts · program · compared by *'],
    why: 'equivalent',
    reason: 'numbers are compared, not texts',
  },
  {
    mutants: ['operations/orders.ts · single · left operand dropped*'],
    why: 'free',
    reason: 'reading 44: orderId and proxy in an answer are shoulds',
  },
  {
    mutants: ['operations/paging.ts · asked · boundary shifted*'],
    why: 'equivalent',
    reason: 'the largest page is the largest page',
  },
  {
    mutants: ['operations/paging.ts · repeated · *'],
    why: 'free',
    reason: 'reading 19: a target that refuses the filters beside its token gets the token alone',
  },
  { mutants: ['operations/paging.ts · pageBody · *'], why: 'equivalent', reason: 'there is a member for the token' },
  {
    mutants: ['operations/portal-lookups.ts · getATMLocation · *'],
    why: 'free',
    reason: 'readings 41 and 46: pages of machines are observed',
  },
  {
    mutants: ['operations/portal-session.ts · * · flag flipped*'],
    why: 'free',
    reason: 'who a user is and what it may do is not said',
  },
  {
    mutants: ['operations/token.ts · issue · right operand dropped*'],
    why: 'free',
    reason: 'reading 16: missing members of the token request are observed',
  },
  {
    mutants: ['operations/transfer.ts · centsOf · *'],
    why: 'free',
    reason: 'reading 8: an amount as text is a should; numbers are compared, not texts',
  },
  {
    mutants: ['operations/transfer.ts · checkTarget · statement dropped*'],
    why: 'equivalent',
    reason: 'no card has the identifier undefined, and only faults look at the target that is kept',
  },
  {
    mutants: ['operations/transfer.ts · transfer · first element only*'],
    why: 'equivalent',
    reason: 'there is one state that spends',
  },
  {
    mutants: ['operations/users.ts · parent · compared by *'],
    why: 'free',
    reason: 'readings 11 and 22: short identifiers may be numbers in a row, so what resembles one is not tried',
  },
  {
    mutants: ['operations/users.ts · setPermissions · *'],
    why: 'free',
    reason: 'reading 10: what permissions do is not readable',
  },
];

const sandbox: readonly Explained[] = [
  {
    mutants: ['state/backend.ts · number · *'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v1/orders.ts · orderId · *'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v1/cip.ts · getCIPCheck · sign turned*'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v3/states.ts · touch · *'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v1/orders.ts · proxy · *'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v1/orders.ts · * · findLast for find*'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['v1/sessions.ts · user · findLast for find*'],
    why: 'equivalent',
    reason: 'counters, numbers and names of things that no request sees',
  },
  {
    mutants: ['* · * · compared by case · session.user === user*'],
    why: 'equivalent',
    reason: 'objects and numbers are compared, not texts',
  },
  {
    mutants: ['v1/customers.ts · * · compared by *'],
    why: 'equivalent',
    reason: 'objects and numbers are compared, not texts',
  },
  {
    mutants: ['v1/orders.ts · * · compared by prefix · custProgId === program.rowId*'],
    why: 'equivalent',
    reason: 'objects and numbers are compared, not texts',
  },
  {
    mutants: ['v3/transfer.ts · toItself · compared by *'],
    why: 'equivalent',
    reason: 'objects and numbers are compared, not texts',
  },
  {
    mutants: ['state/session-store.ts · *'],
    why: 'free',
    reason:
      'readings 33 and 51: how many sessions a user has, how long they last, and when a user is locked is a rule of the target',
  },
  {
    mutants: ['v1/sessions.ts · userOf · negation dropped*'],
    why: 'free',
    reason:
      'readings 33 and 51: how many sessions a user has, how long they last, and when a user is locked is a rule of the target',
  },
  {
    mutants: ['v1/sessions.ts · locked · *'],
    why: 'free',
    reason:
      'readings 33 and 51: how many sessions a user has, how long they last, and when a user is locked is a rule of the target',
  },
  {
    mutants: ['v1/sessions.ts · hasAll · *'],
    why: 'free',
    reason:
      'readings 33 and 51: how many sessions a user has, how long they last, and when a user is locked is a rule of the target',
  },
  {
    mutants: ['state/temporary-tokens.ts · *'],
    why: 'free',
    reason: 'reading 23: that a temporary token is found, and how long, is a should',
  },
  {
    mutants: ['state/token-store.ts · issue · *'],
    why: 'free',
    reason:
      'how tokens are spelled and whether one is handed out again is free; 59 and 61 minutes are judged, not milliseconds',
  },
  {
    mutants: ['state/token-store.ts · text · *'],
    why: 'free',
    reason:
      'how tokens are spelled and whether one is handed out again is free; 59 and 61 minutes are judged, not milliseconds',
  },
  {
    mutants: ['state/token-store.ts · expired · boundary shifted*'],
    why: 'free',
    reason:
      'how tokens are spelled and whether one is handed out again is free; 59 and 61 minutes are judged, not milliseconds',
  },
  {
    mutants: ['state/token-store.ts · recognise · off by one*'],
    why: 'free',
    reason:
      'how tokens are spelled and whether one is handed out again is free; 59 and 61 minutes are judged, not milliseconds',
  },
  {
    mutants: ['state/token-store.ts · recognise · left operand dropped*'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['state/token-store.ts · as · *'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v1/sessions.ts · sessionOf · condition always false*'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v1/places.ts · readDegrees · condition always false*'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v3/authenticate.ts · *'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v3/transfer.ts · isPath · *'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v3/transfer.ts · softRefusal · *'],
    why: 'equivalent',
    reason: 'why a refusal was made, which is answered the same',
  },
  {
    mutants: ['v1/cip.ts · least · off by one · 1 -> 2*'],
    why: 'free',
    reason: 'reading 39: fewer digits are a should for zip; impossible dates are a should',
  },
  {
    mutants: ['v1/cip.ts · checkRange · *'],
    why: 'free',
    reason: 'reading 39: fewer digits are a should for zip; impossible dates are a should',
  },
  {
    mutants: ['v1/cip.ts · within · *'],
    why: 'free',
    reason: 'reading 39: fewer digits are a should for zip; impossible dates are a should',
  },
  {
    mutants: ['v1/cip.ts · getCIPCheck · statement dropped*'],
    why: 'free',
    reason: 'reading 39: fewer digits are a should for zip; impossible dates are a should',
  },
  {
    mutants: ['v1/cip.ts · least · off by one · 4 -> 5*'],
    why: 'free',
    reason:
      'reading 47: every check is refused, also that of the person that the fixtures give, so nothing can be told from a rule of the target',
  },
  {
    mutants: ['v1/cip.ts · known · *'],
    why: 'free',
    reason: 'by what a person is found, and what the message says, is not shown',
  },
  {
    mutants: ['v1/cip.ts · outcome · *'],
    why: 'free',
    reason: 'by what a person is found, and what the message says, is not shown',
  },
  {
    mutants: ['v1/cip.ts · Error · *'],
    why: 'free',
    reason: 'by what a person is found, and what the message says, is not shown',
  },
  {
    mutants: ['v1/customers.ts · chosen · *'],
    why: 'free',
    reason: 'reading 40: showAutoCreated and the customer of an item are shoulds, showBranded is observed',
  },
  {
    mutants: ['v1/customers.ts · byDefault · *'],
    why: 'free',
    reason: 'reading 40: showAutoCreated and the customer of an item are shoulds, showBranded is observed',
  },
  {
    mutants: ['v1/customers.ts · items · *'],
    why: 'equivalent',
    reason: 'the last customer is of another tenant, and the sound rule looks at no more than whether one is reachable',
  },
  {
    mutants: ['v1/customers.ts · isWithin · off by one*'],
    why: 'equivalent',
    reason: 'nobody is that many levels deep',
  },
  {
    mutants: ['v1/order-body.ts · *'],
    why: 'free',
    reason: 'readings 8 and 46: more is refused than must be, or a wrong type is not, which is a should',
  },
  {
    mutants: ['v1/orders.ts · ownCustomerId · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · programOf · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · belongs · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · byDefault · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · checkOptions · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · fits · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · newOrder · *'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · sameOrder · left operand dropped*'],
    why: 'free',
    reason:
      'readings 42, 46 and 47: which customer, product or total goes with a program is a rule of the target; one that refuses every order gives no way to tell',
  },
  {
    mutants: ['v1/orders.ts · checkOtherInfo · negation dropped · !inOrder*'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · sameLoad · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · wanted · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · repeated · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · newLoad · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · defaultAnswer · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  {
    mutants: ['v1/orders.ts · count · *'],
    why: 'free',
    reason: 'reading 44: within one order, and of loads, uniqueness is a should; orderId and proxy are, too',
  },
  { mutants: ['v1/places.ts · *'], why: 'free', reason: 'readings 41 and 45: the pages of machines are observed' },
  {
    mutants: ['v1/sessions.ts · right · compared by *'],
    why: 'missed',
    reason: 'reading 32: one form of wrong password a night',
  },
  {
    mutants: ['v1/sessions.ts · user · compared by *'],
    why: 'free',
    reason: 'blanks around a value may be taken off before it is compared',
  },
  {
    mutants: ['v1/sessions.ts · right · right operand dropped*'],
    why: 'equivalent',
    reason: 'a login without password was refused before',
  },
  {
    mutants: ['v3/card-operations.ts · *'],
    why: 'free',
    reason:
      'readings 10 and 30: what a PIN, a reissue or a payload does is not readable, and their members are not required',
  },
  { mutants: ['v3/cardholders.ts · *'], why: 'free', reason: 'reading 31: what is only listed is observed' },
  { mutants: ['v3/cards.ts · shownCard · *'], why: 'free', reason: 'reading 5: members of a record may be absent' },
  {
    mutants: ['v3/cards.ts · listCards · *'],
    why: 'free',
    reason: 'readings 11 and 22: an unknown value of a filter is observed, save where it gives everything',
  },
  {
    mutants: ['v3/users.ts · isKnown · *'],
    why: 'free',
    reason: 'readings 11 and 22: an unknown value of a filter is observed, save where it gives everything',
  },
  {
    mutants: ['v3/users.ts · listCustomers · *'],
    why: 'free',
    reason: 'readings 11 and 22: an unknown value of a filter is observed, save where it gives everything',
  },
  {
    mutants: ['v3/cards.ts · byProxy · *'],
    why: 'free',
    reason: 'reading 24: with another programIdentifier or isDigital the card meant may be found',
  },
  {
    mutants: ['v3/cards.ts · sameProgram · *'],
    why: 'free',
    reason: 'reading 24: with another programIdentifier or isDigital the card meant may be found',
  },
  {
    mutants: ['v3/cards.ts · sameKind · *'],
    why: 'free',
    reason: 'reading 24: with another programIdentifier or isDigital the card meant may be found',
  },
  { mutants: ['v3/cards.ts · others · *'], why: 'free', reason: 'which cards are related is not shown' },
  {
    mutants: ['v3/listing.ts · largestPage · *'],
    why: 'free',
    reason: 'readings 19 and 22: sizes beyond what is documented, and how a walk ends, are free',
  },
  {
    mutants: ['v3/listing.ts · page · off by one*'],
    why: 'free',
    reason: 'readings 19 and 22: sizes beyond what is documented, and how a walk ends, are free',
  },
  {
    mutants: ['v3/listing.ts · continuation · *'],
    why: 'free',
    reason: 'readings 19 and 22: sizes beyond what is documented, and how a walk ends, are free',
  },
  {
    mutants: ['v3/states.ts · refreshRecord · *'],
    why: 'equivalent',
    reason: 'the record of the sandbox does not lag',
  },
  {
    mutants: ['v3/token.ts · *'],
    why: 'free',
    reason: 'reading 16: grants, scopes and media types of the token request are observed, no-store is a should',
  },
  {
    mutants: ['v3/transfer.ts · readAmount · *'],
    why: 'free',
    reason: 'reading 27: amounts of zero, parts of a cent and transfers to itself are observed',
  },
  {
    mutants: ['v3/transfer.ts · isWhole · *'],
    why: 'free',
    reason: 'reading 27: amounts of zero, parts of a cent and transfers to itself are observed',
  },
  {
    mutants: ['v3/transfer.ts · moveMoney · *'],
    why: 'free',
    reason: 'reading 27: amounts of zero, parts of a cent and transfers to itself are observed',
  },
  {
    mutants: ['v3/transfer.ts · credits · *'],
    why: 'free',
    reason: 'reading 27: amounts of zero, parts of a cent and transfers to itself are observed',
  },
  {
    mutants: ['v3/transfer.ts · receiverIdentifier · *'],
    why: 'free',
    reason: 'reading 27: amounts of zero, parts of a cent and transfers to itself are observed',
  },
  {
    mutants: ['v3/users.ts · matches · *'],
    why: 'free',
    reason: 'reading 20: whether a parent is found within itself is not said',
  },
  { mutants: ['v3/users.ts · identifier · *'], why: 'equivalent', reason: 'a path always has its identifier' },
  {
    mutants: ['v3/users.ts · setPermissions · *'],
    why: 'free',
    reason: 'reading 10: what permissions do is not readable',
  },
];

/** Explanations of survivors by the target whose source was mutated; the first that fits counts. */
export const survivors: Record<Subject['name'], readonly Explained[]> = { sandbox, 'second-target': secondTarget };
