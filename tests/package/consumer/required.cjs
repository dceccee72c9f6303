/** The library in a project of type commonjs, beside another version of it. */
const { conformance } = require('prepaid-card-conformance');
const earlier = require('earlier-conformance');

Promise.all([conformance, earlier.conformance].map((run) => run({ only: ['users.get.'] }))).then((records) => {
  for (const { suite, summary } of records) console.log(suite.version, summary.verdict);
});
