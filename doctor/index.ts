/**
 * `npm run doctor`: reports whether a run is worth starting, what it would miss, and what to fix first. Changes
 * nothing.
 */
import type { Fixtures } from '../contracts/fixtures.ts';
import type { Call } from '../helpers/cards/card-state.ts';
import { TransportError } from '../helpers/client/http/types.ts';
import { unencrypted } from '../helpers/configuration/addresses.ts';
import { operationInScope } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { good, note, type Remark, type Remedy, type Section } from './diagnosis.ts';
import { examineBlanks, examineMissing, examineNamed, examinePersons, examinePools } from './fixtures.ts';
import { type Found, findCards, findCustomers, findPortal } from './found.ts';
import { explainFailure } from './network.ts';
import { examinePortal, examineRestrictedLogin, type PortalExamination } from './portal.ts';
import { Probe } from './probe.ts';
import { examineToken } from './token.ts';
import { examineUsersAndCards } from './users-and-cards.ts';

export type { Remark, Remedy, Section } from './diagnosis.ts';

/** The doctor's findings, by section, in the order of the examination. */
export interface Diagnosis {
  sections: Section[];
  /** Settings that were tried and work where the configured ones do not. */
  remedy: Remedy;
  /** Discovered data as a fixtures file, with no cards in pools. */
  found: Fixtures;
  /** Number of missing keys of the fixtures file. */
  missing: number;
}

/** Examines a target within the configured limits. Sends only requests of risk safe. */
export async function examine(configuration: Configuration): Promise<Diagnosis> {
  const probe = new Probe(configuration);
  try {
    return redacted(await new Examination(probe).whole(), probe);
  } finally {
    await probe.close();
  }
}

/** Redacts the doctor's sentences. What they quote of answers is redacted where it is quoted. */
function redacted(diagnosis: Diagnosis, { redactor }: Probe): Diagnosis {
  return {
    ...diagnosis,
    sections: diagnosis.sections.map(({ title, remarks }) => ({
      title: redactor.sentence(title),
      remarks: remarks.map((remark) => inText(remark, (text) => redactor.sentence(text))),
    })),
  };
}

const inText = ({ kind, text, advice }: Remark, change: (text: string) => string): Remark => ({
  kind,
  text: change(text),
  ...(advice && { advice: change(advice) }),
});

class Examination {
  readonly #probe: Probe;
  readonly #sections: Section[] = [];
  readonly #found: Fixtures = {};
  readonly #remedy: Remedy = {};

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  async whole(): Promise<Diagnosis> {
    const { target } = this.#probe.configuration;
    const warnings = unencrypted(target);
    if (warnings.length > 0)
      this.#add(
        'Connection to the target',
        warnings.map((warning) => note(warning)),
      );
    const token = await this.#token();
    if (target.baseUrl) await this.#usersAndCards(token);
    if (target.portalUrl) await this.#portal();
    this.#add('Fixtures file', examineBlanks(this.#probe.configuration.fixtures));
    const missing = examineMissing(this.#probe.configuration);
    this.#add('Missing fixtures', missing.length > 0 ? missing : [good('none')]);
    return { sections: this.#sections, remedy: this.#remedy, found: this.#found, missing: missing.length };
  }

  async #token(): Promise<string | undefined> {
    const { target } = this.#probe.configuration;
    if (target.accessToken) this.#add('Token', [note('TARGET_ACCESS_TOKEN is used; no token is requested')]);
    if (!target.authUrl || target.accessToken) return target.accessToken;
    const { remarks, remedy, token } = await examineToken(this.#probe);
    this.#add(`Token endpoint at ${target.authUrl}`, remarks);
    Object.assign(this.#remedy, remedy);
    return token;
  }

  async #usersAndCards(token: string | undefined): Promise<void> {
    const { configuration } = this.#probe;
    const title = `Users and cards at ${configuration.target.baseUrl}`;
    if (token === undefined) return this.#add(title, [note('not tried: there is no token')]);
    const { remarks, remedy, readable } = await examineUsersAndCards(this.#probe, token);
    this.#add(title, remarks);
    Object.assign(this.#remedy, remedy);
    const call: Call = (operation, input) => this.#probe.call(operation, input, { token });
    if (readable.includes('users.list')) await this.#look('Customers found', () => findCustomers(call));
    if (readable.includes('cards.list')) await this.#look('Cards found', () => findCards(configuration, call));
    if (readable.length > 0) await this.#named(call);
  }

  async #named(call: Call): Promise<void> {
    const { configuration } = this.#probe;
    const inScope = (id: string) => operationInScope(configuration, id);
    const { users, cards } = configuration.fixtures;
    await this.#look('Given fixtures', async () => ({
      fixtures: {},
      remarks: [
        ...(await examineNamed(
          { users: inScope('users.get') ? users : undefined, cards: inScope('cards.get') ? cards : undefined },
          call,
        )),
        ...(inScope('cards.get') ? await examinePools(configuration, call) : []),
      ],
    }));
  }

  async #portal(): Promise<void> {
    const { configuration } = this.#probe;
    const examination = await examinePortal(this.#probe);
    this.#add(`Portal at ${configuration.target.portalUrl}`, examination.remarks);
    Object.assign(this.#remedy, examination.remedy);
    const { sessionId, customerId } = examination;
    if (sessionId === undefined) return;
    const call: Call = (operation, input) => this.#probe.call(operation, input, { sessionId });
    await this.#look('Found in the portal', () => findPortal(configuration, call, customerId));
    await this.#look('Given fixtures of the portal', async () => ({
      fixtures: {},
      remarks: [...examinePersons(configuration), ...(await examineRestrictedLogin(this.#probe))],
    }));
    await this.#logOut(examination);
  }

  /** Ends the session; whether logging out works is for a run to judge. */
  async #logOut({ sessionId }: PortalExamination): Promise<void> {
    const { configuration } = this.#probe;
    if (configuration.target.portalSessionId || !operationInScope(configuration, 'portal.logout')) return;
    try {
      await this.#probe.call('portal.logout', {}, { sessionId });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
    }
  }

  /** Adds what was found, in words of the target; a failing connection becomes a remark. */
  async #look(title: string, find: () => Promise<Found>): Promise<void> {
    try {
      const { remarks, fixtures } = await find();
      this.#add(
        title,
        remarks.map((remark) => inText(remark, (text) => this.#probe.redactor.text(text))),
      );
      Object.assign(this.#found, fixtures);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const address = this.#probe.configuration.target.baseUrl ?? this.#probe.configuration.target.portalUrl!;
      this.#add(title, [await explainFailure(error, address, 'the address')]);
    }
  }

  #add(title: string, remarks: Remark[]): void {
    if (remarks.length > 0) this.#sections.push({ title, remarks });
  }
}
