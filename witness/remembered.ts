/** What is kept of exchanges that are let go: the latest about each card, customer, program, session and token to which something was done, so that what follows much later is judged with them. */
import { type Answer, identifiersIn, member, memberOf, succeeded } from '../helpers/answer.ts';

/** Number of exchanges about one subject that are kept. */
const MOST_OF_ONE = 200;

/** What an exchange is about; nothing where all of many others are alike, as listings are. */
function subjectsOf(answer: Answer): string[] {
  const { operation, input, sessionId } = answer;
  if (operation.id === 'token.issue') return succeeded(answer) ? [`token ${member(answer, 'access_token')}`] : [];
  if (operation.id === 'portal.logout') return succeeded(answer) ? [`session ${sessionId}`] : [];
  if (operation.id === 'portal.login') return succeeded(answer) ? [`session ${member(answer, 'sessionId')}`] : [];
  if (operation.id === 'portal.orderCards') return [`program ${memberOf(input.json, 'custProgId')}`];
  const found = operation.id === 'cards.get' ? [member(answer, 'identifier')] : [];
  const named = new Set([...identifiersIn(input), ...found.filter((one) => typeof one === 'string')]);
  return [...named].map((identifier) => `${operation.interface} ${identifier}`);
}

/** Operations that change nothing, and are told apart from others by what they begin or end. */
const TELLING = ['token.issue', 'portal.logout'];

/** Whether something is done to its subjects, so that what is read of them much later may contradict it. */
const isTelling = ({ operation: { id, risk } }: Answer): boolean => risk !== 'safe' || TELLING.includes(id);

/** Whether it says nothing without what follows at once: of a session that begins, its first requests. */
const isBeginning = ({ operation: { id } }: Answer): boolean => id === 'portal.login';

/**
 * The latest exchanges about each subject to which something is done, without a gap: what is left out of the middle would be missing.
 * @param answers in their order, all those after them are kept
 * @param most limit on their number
 */
export function rememberedOf(answers: readonly Answer[], most: number): Answer[] {
  const about = answers.map((answer) => ({ answer, subjects: subjectsOf(answer) }));
  const told = new Set(about.flatMap(({ answer, subjects }) => (isTelling(answer) ? subjects : [])));
  const counts = new Map<string, number>();
  const kept: Answer[] = [];
  for (const { answer, subjects } of about.toReversed()) {
    if (!subjects.some((one) => told.has(one))) continue;
    const isRoom = kept.length < most && subjects.every((one) => (counts.get(one) ?? 0) < MOST_OF_ONE);
    const isKept = isRoom && !isBeginning(answer);
    for (const one of subjects) counts.set(one, isKept ? (counts.get(one) ?? 0) + 1 : MOST_OF_ONE);
    if (isKept) kept.push(answer);
  }
  return kept.toReversed();
}
