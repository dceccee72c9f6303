/** The words that reports use in a meaning of their own; the README has the same table, and `explain WORD` prints one. */
export const GLOSSARY: Readonly<Record<string, string>> = {
  requirement: 'One checkable statement of the documents, with an id such as cards.get.identifier; a must or a should.',
  exchange: 'One request and its answer, with an id such as x00042; all evidence consists of exchanges.',
  cause: 'What is wrong at the target; requirements that fail for the same reason are one cause.',
  hidden: 'Not judged because of a failure: what ended its check is an exchange that the failure condemns.',
  suspected: 'Seen to contradict a requirement, but not shown again; it accuses nobody.',
  inconclusive: 'Tried, but the answers allowed no conclusion.',
  blocked: 'Not tried, since something before it failed, the target was unavailable, or a limit was reached.',
  form: 'One of several ways to try the same thing, such as a missing or an invented token; runs take turns. Of combinations, pairs of their factors are counted.',
  'settle time': 'How long an effect may take to show, in milliseconds (RUN_SETTLE_MS).',
  'known failure': 'A failure on the list of RUN_KNOWN_FAILURES; it is reported, and does not make a run fail.',
};
