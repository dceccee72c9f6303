/**
 * Semantic version of the published contracts (https://semver.org). A patch changes words, a minor release adds things
 * that no conformant implementation notices, a major one changes what is asserted of an operation.
 * `contracts/CHANGELOG.md` lists the changes.
 */
export const CONTRACTS_VERSION = '2.1.0';
