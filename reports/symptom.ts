/** What answers and findings have in common across runs: their text without what differs between requests. */

/** Number of characters compared of longer texts. */
export const LONGEST = 2000;

const STATUS_OR_WORD =
  /\b((?:status|HTTP|answer(?:s|ed)?)(?: (?:code|with|was|is))* [1-5]\d\d\b(?![.\d]))|[\w-]+(?:[.:+][\w-]+)*/gi;
const VOLATILE = /\d|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/;

/** A status and body without parts that differ between requests: equal for answers with the same meaning. */
export const symptomOf = (answer: string): string => `${answer.slice(0, 3)}${withoutVolatile(answer.slice(3))}`;

/** The text without identifiers, times and numbers, except the statuses of answers. */
export const withoutVolatile = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(STATUS_OR_WORD, (word, status: string | undefined) => (!status && VOLATILE.test(word) ? 'n' : word));
