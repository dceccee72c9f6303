/**
 * Semantic version of the published contracts (https://semver.org). A patch changes words, a minor release adds what no
 * conformant implementation notices, a major one changes what is asserted of an operation. `contracts/CHANGELOG.md` lists what changed.
 */
export const CONTRACTS_VERSION = '2.1.0';
