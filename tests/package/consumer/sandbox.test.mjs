/** The suite in a vitest of others. */
import { describeConformance } from 'prepaid-card-conformance/vitest';

await describeConformance({ only: ['users.get.', 'cards.suspend.'], reportDir: 'conformance-report' });
