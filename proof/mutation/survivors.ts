/**
 * Classes of surviving mutants by what their answers show, wherever their source stands. What shows in no answer, how names are spelled,
 * how refusals are worded and what is undocumented needs no class (`differencesOf`).
 */

export interface Class {
  /**
   * `free`: what differs breaks no must; the reason names the reading. `undecided`: a must becomes inconclusive or skipped, as the reading
   * demands. `missed`: it breaks a must, and the suite does not notice; the reason says why.
   */
  why: 'free' | 'undecided' | 'missed';
  reason: string;
  /** Patterns of differences, one of which at least a mutant shows: `cards.transfer accepts: *funds*`. */
  shows: readonly string[];
  /** Patterns of the mutation operators that it is of; all by default. */
  by?: readonly string[];
  /** Patterns of what follows in the rest of a run from what it shows. */
  follows?: readonly string[];
}

/** Patterns that several classes name. */
const NAMED: Readonly<Record<string, string>> = {
  /** What follows where other money has moved than with the sound target. */
  MONEY: `cards.{get,getBalance,list,listRelated}* another *.balance | cards.* another *.{lastUpdateDate,isRefreshing} |
    cards.transfer another .identifier | cards.transfer {accepts,refuses}: *funds* | cards.transfer answers * for *`,
  /** What follows where another page begins. */
  PAGES: '*.list* another .results.* | *.list* *continuationToken | *.list* refuses: *continuation*',
};

/** The patterns of a list, with each of the words in braces in turn: `{no,another} .status`. */
const patterns = (list: string): string[] => list.split(/ \|\s+/).flatMap((pattern) => expanded(pattern));

function expanded(pattern: string): string[] {
  if (NAMED[pattern]) return patterns(NAMED[pattern]);
  const [braces, words] = /\{(.*?)\}/.exec(pattern) ?? [];
  return words === undefined ? [pattern] : words.split(',').flatMap((word) => expanded(pattern.replace(braces!, word)));
}

const CLASS =
  /^(?<why>free|undecided|missed): (?<reason>[^\n]+)\n {2}shows: (?<shows>.+?)(\n {2}by: (?<by>[^\n]+))?(\n {2}follows: (?<follows>.+))?$/s;

/** The classes of a text: each begins with a line that is not indented. Lines that begin with # are headings. */
const classesIn = (text: string): Class[] =>
  text
    .trim()
    .split(/\n+(?=\S)/)
    .filter((paragraph) => !paragraph.startsWith('#'))
    .map((paragraph) => {
      const { why, reason, shows, by, follows } = CLASS.exec(paragraph)!.groups as Record<keyof Class, string>;
      return {
        why: why as Class['why'],
        reason,
        shows: patterns(shows),
        ...(by && { by: patterns(by) }),
        ...(follows && { follows: patterns(follows) }),
      };
    });

export const classes: readonly Class[] = classesIn(`
# Tokens
missed: readings 32 and 52: a run tries one wrong password, of which other seeds try others
  shows: portal.login?loginID,password accepts: *
  by: compared by case | compared by prefix
free: reading 16: grants, other scopes and missing members of the token request are observed
  shows: token.issue {accepts,refuses}: *{grant,scope}*
  follows: token.issue another .access_token | users.list?max refuses: *bad-token*
undecided: reading 14: a time that is neither in seconds nor in milliseconds ends its judging
  shows: token.issue another .{not_before,expires_on}
  by: arithmetic turned
free: readings 14 and 15: minutes are judged, not seconds, and an offset that is alike for two tokens is none
  shows: token.issue another .{not_before,expires_on,expires_in}
  by: off by one
free: reading 17: a refusal other than 401 is good enough where the request is accepted with a good token
  shows: * answers 4* for {401: *token*,400: *session*}
free: reading 31: what is only listed is observed
  shows: token.authorize * | cardholders.*

# Listings
free: reading 13: access to users is full; what is foreign is judged of cards and of the portal
  shows: users.list?max another .results.identifier
  by: condition always true
  follows: PAGES | cards.list?customerIdentifier,max fewer .results
free: reading 20: a parent finds those below it, or its children alone
  shows: users.list?max,parentIdentifier another .results.identifier
  by: condition always true
  follows: PAGES | users.list?*parentIdentifier* {fewer,more} .results
free: readings 18 and 19: how many there are without max is not shown, but that they are 50 at most
  shows: users.list more .results | users.list?name more .results
  by: max for min | off by one
  follows: PAGES | users.list?token {more,fewer} .results
free: readings 18 and 22: max below 1 is refused or not
  shows: {users,cards}.list?max accepts: *max*
free: readings 18 and 22: max above what is allowed is refused or not
  shows: cards.list?customerIdentifier,max refuses: *max*
  by: right operand dropped | comparison negated
  follows: PAGES | *.list?* refuses: *max*
free: reading 22: how many cards there may be on a page is not shown, but that they are 50 without max
  shows: cards.list?max more .results
  by: off by one
free: reading 11: an unknown value of a filter finds nothing or is refused
  shows: {users,cards}.list?* refuses: unknown-reference No *
free: reading 11: what has a blank before or behind it may be taken for what it is without
  shows: {users,cards.get}* accepts: *unknown* | {users,cards}.list?* more .results
  by: compared by trim
free: reading 22: a filter finds the match of the fixtures; which others is not shown
  shows: cards.list?* fewer .results
  by: last element left out
free: readings 19 and 22: an invented continuation token is observed, and so is one on cards
  shows: users.list?*token* accepts: *continuation* | cards.list?max,token {accepts,refuses}: *continuation*
  follows: users.list?token more .results
free: reading 19: how a continuation token looks, what is sent with it and whether the last page has one is not shown
  shows: users.list?* another .continuationToken | *.list?*token refuses: *continuation*
  by: off by one | boundary shifted | comparison negated | left operand dropped
  follows: PAGES
free: readings 19 and 22: the order of a listing is not shown
  shows: cards.list?max another .results.{identifier,customerIdentifier} | users.list?max another .results.identifier |
    cards.get another .customerIdentifier
  by: arithmetic turned | off by one
  follows: PAGES | cards.* {another,no} * | *.list* {fewer,more} .results | users.list* another order of .results |
    * refuses: *{unknown-card,unknown-filter}* | cards.get* accepts: *unknown-card* | portal.* another .items.*
undecided: readings 19 and 22: that there are 50, or more pages, is judged where more are known to exist, and each page has one here
  shows: cards.list?max fewer .results
  by: first element only | min for max
  follows: PAGES | *.list* {fewer,more} .results

# Cards
free: readings 5 and 26: members of a record may be absent, when it was updated and what its links are is not shown
  shows: cards.* no *.{provisionedDate,cardNumberLastFour,expiration,creationDate,lastUpdateDate,deepLink,tinyUrl} |
    cards.* no *.{customFields,cardholder} | cards.* another *.{lastUpdateDate,tinyUrl}
free: reading 4: any offset is one, and the date of a transfer has either form
  shows: cards.* another *.{expiration,creationDate,lastUpdateDate,provisionedDate}
  by: arithmetic turned | off by one | slice forgotten
free: reading 13: a foreign card is refused with any status
  shows: cards.* answers 410 for 403: *out-of-reach*
free: reading 23: that a temporary token is found is a should; the same or another one is observed
  shows: cards.get?byToken {refuses: *unknown*,accepts: *byToken*} | cards.createToken another .token
  follows: cards.get?byToken answers 400 for 404: *
free: reading 24: with another programIdentifier or isDigital the card meant may be found
  shows: cards.get?byProxy,isDigital,programIdentifier accepts: *{programIdentifier,isDigital,unknown-card*} |
    cards.get?byProxy,isDigital,programIdentifier another .identifier
  follows: cards.get?byProxy,isDigital,programIdentifier * | cards.listRelated another .results.*
free: reading 25: which cards are related, the card itself among them, is not shown, and one is asked for
  shows: cards.listRelated {more,fewer} .results
  follows: cards.listRelated another .results.*
free: reading 26: how numbers correspond to states is observed
  shows: cards.getStatus another .status
  by: off by one
free: readings 8, 28 and 30: the type of a nonce and a missing body are shoulds, a repeated nonce and the state are observed, and a payload is opaque
  shows: cards.encryptForVde {accepts: *nonce*,accepts: state*,refuses: *nonce*,refuses: *body*,another .encryptedPayload}
free: readings 8, 29, 30 and 50: in which states a card is closed, provisioned, reissued or given a PIN, and which members and PINs that takes, is observed
  shows: cards.{setPin,reissue} accepts: * | cards.{close,markWalletProvisioned} accepts: state* |
    cards.{reissue refuses: *bad-field*,setPin refuses: *bad-pin*} | cards.{setPin,reissue,markWalletProvisioned} refuses: *wrong-state*
  follows: cards.* another *.{provisionedDate,isProvisionedToWallet,lastUpdateDate} | cards.markWalletProvisioned accepts: *wrong-state*
undecided: reading 29: that a card with a balance is not closed is tried again on an empty one
  shows: cards.close refuses: *balance*
  follows: cards.* {another *.status,accepts: state The card is*,answers * for *: state*} | MONEY
free: reading 46: byToken and byProxy together are in no sentence
  shows: cards.get?byProxy,byToken* refuses: *flag*
free: how identifiers and numbers are made is said nowhere
  shows: cards.{get,list*} another *.proxyNumber | cards.transfer another .identifier | portal.login?loginID,password another .userId |
    portal.getCustomer* another .items.{topClientId,customerId,parentId}
  by: off by one | arithmetic turned | condition always false
  follows: portal.getCustomerHierarchy?customerId refuses: *customerId
free: reading 8: a wrong type in a body is a should
  shows: users.setPermissions accepts: *bad-field*

# Transfers
free: reading 27: a refusal may be a 200 that says so
  shows: cards.transfer accepts: {funds,unknown-reference}*
  by: condition always false
  follows: cards.transfer accepts: *
free: readings 27 and 28: a transfer of nothing, of parts of a cent, of more than the balance or to a card that is not active is observed
  shows: cards.transfer accepts: *{amount,funds,target card is not active,cannot-receive}*
  follows: MONEY
free: reading 28: a transfer of the whole balance is observed
  shows: cards.transfer refuses: *funds*
  by: boundary shifted
  follows: MONEY
missed: reading 46: amounts that the fixtures promise are refused (1.15); reading 27 accuses a transfer that is refused however it is asked for
  shows: cards.transfer refuses: *amount*
  follows: MONEY
free: reading 27: to itself no money moves either way; that a success is claimed is a should
  shows: cards.transfer accepts: *{self,same-card}*
free: readings 8 and 48: a wrong type is a should, and so is that comment and custom fields are taken
  shows: cards.transfer {accepts,refuses}: *{customField,comment}* | cards.transfer {answers 422 for 400,accepts}: *missing-field*
  follows: MONEY
free: reading 27: what the answer to a transfer gives beside its amount is observed
  shows: cards.transfer another .{status,comment} | cards.transfer no .{comment,customFields*}

# The portal
free: readings 33 and 51: how many sessions a user has, what ends the others of that user, and when it is locked is a rule of the target
  shows: portal.{logout,getShippingMethods} refuses: session* | portal.login?loginID,password refuses: *locked* |
    portal.login?loginID,password another .sessionId
  follows: portal.*session* | portal.orderCards answers 401 for 400: *
free: who a user is and what it may do is not said
  shows: portal.login?loginID,password another .{isHost,isHostAdmin,deleted,canLoadCard,canViewLoadHistory}
free: reading 39: months and days that do not exist are a should
  shows: portal.getCIPCheck accepts: {range dobMonth,range dobDay,bad-person dobDay}*
free: readings 39 and 46: made-up persons may be refused, and the last of a month or year
  shows: portal.getCIPCheck refuses: *dobMonth*
  by: boundary shifted
free: reading 39: that fewer digits than there are places for are taken is a should
  shows: portal.getCIPCheck refuses: *ssnLast4*
  by: off by one
free: reading 8: a wrong type in a body is a should
  shows: portal.getCIPCheck accepts: bad-person *
  by: left operand dropped
free: reading 38: by what a person is found is not shown, nor what an unknown one gets, the questions, the number and the messages say
  shows: portal.getCIPCheck {another,no} .data.{Error,detailedMessages.message,summaryResult} |
    portal.getCIPCheck {another .data.Idnumber,another .returnCode,more .data.diffQuestionList} |
    portal.getCIPCheck {fewer .data.questionList,fewer .data.detailedMessages,more .data.detailedMessages}
free: reading 37: which customers there are besides those of the fixtures is not shown
  shows: portal.getCustomerList fewer .items
  follows: PAGES | portal.getCustomerHierarchy?customerId fewer .items | users.list?* {fewer,more} .results
undecided: readings 5 and 37: the hierarchy is judged by parentId where present
  shows: portal.getCustomer* no .items.parentId
free: reading 40: what showAutoCreated selects is a should, what showBranded selects is observed
  shows: portal.getCustomerProgramList?* {fewer,more} .items
  by: * operand dropped | *negat* | last element left out
  follows: portal.getCustomerProgramList?* another .items.*
free: readings 41, 45 and 46: places and their pages are observed
  shows: portal.getATMLocation?* refuses: {range*,bad-p*}

# Orders
free: reading 44: within one order uniqueness of otherInfo is a should
  shows: portal.orderCards accepts: {duplicate otherInfo,other-info-duplicate}*
  by: statement dropped | first element only | every for some | min for max
free: readings 44 and 46: of loads uniqueness is a should, and more may be refused
  shows: portal.orderCards {accepts,refuses}: {*load with this*,load-duplicate*} | portal.orderCards refuses: load-incomplete*
  follows: portal.orderCards answers 400 for 409: load-duplicate*
free: reading 44: an order may be answered as the first
  shows: portal.orderCards accepts: *order with this*
  by: right operand dropped
undecided: reading 44: what is ordered twice may be answered as the first, whose identifiers the second has
  shows: portal.orderCards accepts: *order with this*
  by: statement dropped
  follows: portal.orderCards accepts: duplicate*
free: reading 42: which of the listed types a program takes is observed
  shows: portal.orderCards accepts: *program does not take this orderProdType* | portal.orderCards refuses: bad-order orderProdType |
    portal.orderCards answers 400 for 409: order-duplicate*
free: readings 13 and 46: that an order for another customer is refused is a should
  shows: portal.orderCards accepts: {*no such customer*,bad-order customerId}

# Any operation: what is left where no other class explains a mutant
free: readings 46 and 48: its fixtures give what differs, names or amounts, so that the requests of the sound target say nothing of it
  shows: other fixtures
  follows: *
undecided: reading 47: the right request is refused, which leaves the musts of its operation inconclusive, and what is accepted instead unasked
  shows: * refuses: *
  follows: * answers * | portal.{orderCards accepts: *,getCustomerList accepts: *entitled*,login* another .sessionId} | MONEY
`);
