/** What vitest does around the long tests: the table in SECURITY.md is written once they are done. */
import { writeTable } from './table.ts';

export default function setUp(): () => void {
  return writeTable;
}
