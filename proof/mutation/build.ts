/** Makes instrumented copies of the targets, below the project's root so that their imports still resolve. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { STATE_CHANGING } from '../../contracts/v3/cards.ts';
import type { UnservedTarget } from '../second-target/index.ts';
import { NOWHERE } from '../selfcheck/direct.ts';
import type { Given } from '../selfcheck/run-suite.ts';
import { instrument, type Mutant } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the copies; ignored by git. */
const COPIES = join(ROOT, '.mutants');

/** A target whose source is to be mutated. */
export interface Subject {
  name: 'sandbox' | 'second-target';
  /** The module that makes it. */
  module: string;
  /** Makes the target. @param module what {@link module} exports */
  // biome-ignore lint/suspicious/noExplicitAny: the module is made when it is asked for
  make(module: any): Given;
  /** Its folder, from the root of the project. */
  folder: string;
  /**
   * Files that implement the documents (not seeds, transport and hooks for faults), each with the checks to try first on its
   * mutants, which cost a fraction of a whole run; empty where no checks are nearer than others.
   */
  mutated: Readonly<Record<string, readonly string[]>>;
  /** Matches the source of its switches for faults and freedoms. */
  switches: RegExp;
}

const TRANSITIONS = [...STATE_CHANGING, 'cards.markWalletProvisioned', 'cards.reissue', 'cards.setPin'];

export const subjects: readonly Subject[] = [
  {
    name: 'sandbox',
    module: 'unserved.ts',
    make: ({ makeSandbox }) => {
      const { responder, environmentAt, fixtures } = makeSandbox({});
      return { environment: environmentAt(NOWHERE), fixtures, unserved: responder };
    },
    folder: 'sandbox',
    mutated: {
      'state/backend.ts': [],
      'state/session-store.ts': ['portal.login', 'portal.logout'],
      'state/temporary-tokens.ts': ['cards.createToken', 'cards.get'],
      'state/token-store.ts': ['token.issue'],
      'v1/cip.ts': ['portal.getCIPCheck'],
      'v1/customers.ts': ['portal.getCustomerList', 'portal.getCustomerHierarchy', 'portal.getCustomerProgramList'],
      'v1/order-body.ts': ['portal.orderCards'],
      'v1/orders.ts': ['portal.orderCards'],
      'v1/places.ts': ['portal.getATMLocation', 'portal.getShippingFeeTypes', 'portal.getShippingMethods'],
      'v1/sessions.ts': ['portal.login', 'portal.logout'],
      'v3/authenticate.ts': ['users.get', 'cards.getStatus'],
      'v3/card-operations.ts': [...TRANSITIONS, 'cards.getStatus', 'cards.getBalance'],
      'v3/cardholders.ts': ['cardholders'],
      'v3/cards.ts': ['cards.list', 'cards.get', 'cards.listRelated'],
      'v3/find-card.ts': ['cards.get', 'cards.getStatus'],
      'v3/listing.ts': ['users.list', 'cards.list'],
      'v3/states.ts': TRANSITIONS,
      'v3/token.ts': ['token.issue'],
      'v3/transfer.ts': ['cards.transfer'],
      'v3/users.ts': ['users'],
    },
    switches:
      /^(call\.|this\.#)?rules\.\w+$|(rules\.\w+|tokenReuse|tokenFormat|duplicateOrders|sessionId|style) [!=]== '/,
  },
  {
    name: 'second-target',
    module: 'index.ts',
    make: ({ makeSecondTarget }) => {
      const target: UnservedTarget = makeSecondTarget();
      return {
        environment: { ...target.envAt(NOWHERE), RUN_RISK: 'irreversible', RUN_SETTLE_MS: '0' },
        fixtures: target.fixtures,
        unserved: target,
      };
    },
    folder: 'proof/second-target',
    mutated: {
      'choices.ts': [],
      'world.ts': [],
      'operations/card-changes.ts': TRANSITIONS,
      'operations/cardholders.ts': ['cardholders'],
      'operations/cards.ts': ['cards.list', 'cards.get', 'cards.getStatus', 'cards.listRelated', 'cards.createToken'],
      'operations/cip.ts': ['portal.getCIPCheck'],
      'operations/guard.ts': ['users.get', 'cards.get', 'portal.getCustomerHierarchy', 'portal.logout'],
      'operations/order-rules.ts': ['portal.orderCards'],
      'operations/orders.ts': ['portal.orderCards'],
      'operations/paging.ts': ['users.list', 'cards.list'],
      'operations/portal-lookups.ts': ['portal.get*'],
      'operations/portal-session.ts': ['portal.login', 'portal.logout'],
      'operations/token.ts': ['token.issue'],
      'operations/transfer.ts': ['cards.transfer'],
      'operations/users.ts': ['users'],
    },
    switches: /^(x\.)?choices\.\w+$/,
  },
];

/** Makes and instruments the copy of a target. @returns its mutants, numbered from 1 */
export function build({ folder, mutated, switches }: Subject): Mutant[] {
  const copy = join(COPIES, folder);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(COPIES, { recursive: true });
  cpSync(join(ROOT, folder), copy, { recursive: true });
  rmSync(join(COPIES, 'contracts'), { force: true });
  symlinkSync(join(ROOT, 'contracts'), join(COPIES, 'contracts'));
  const mutants: Mutant[] = [];
  for (const file of Object.keys(mutated)) {
    const { code, mutants: found } = instrument(
      file,
      readFileSync(join(ROOT, folder, file), 'utf8'),
      1 + mutants.length,
      switches,
    );
    writeFileSync(join(copy, file), code);
    mutants.push(...found);
  }
  return mutants;
}

let loading = 0;
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url.startsWith(pathToFileURL(COPIES).href)
      ? { ...resolved, url: `${resolved.url}?${loading}` }
      : resolved;
  },
});

/**
 * Loads the instrumented copy of a target.
 * @param load number of the load: a mutant that takes effect at load needs freshly loaded modules
 * @returns a function that makes the target
 */
export async function loadCopy({ folder, module, make }: Subject, load = 0): Promise<() => Given> {
  loading = load;
  const loaded = await import(join(COPIES, folder, module));
  return () => make(loaded);
}
