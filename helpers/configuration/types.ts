import type { Fixtures } from '../../contracts/fixtures.ts';
import type { FailOn, Risk } from '../../contracts/record.ts';

/** An expected failure of a target: it keeps its verdict but does not decide the exit code. */
export interface KnownFailure {
  /** Pattern of requirement ids, see `matches` in helpers/configuration/pattern.ts. */
  id: string;
  reason: string;
  link?: string;
  /** YYYY-MM-DD; after that day it counts as any failure. */
  expires?: string;
}

/**
 * The configuration of a run: checked, with defaults filled in, paths absolute.
 * Holds secrets. Plain data, so that it survives a structured clone; integers of `fixtures` may be bigint.
 */
export interface Configuration {
  target: {
    /** Label for reports; the host unless given. */
    name: string;
    /** Label of the build; empty unless given. */
    version: string;
    /** True when the embedded sandbox is to be started: the addresses, credentials and fixtures are then its own. */
    embedded: boolean;
    /** {auth_url}, {base_url} and {portal_url}, without trailing slash; what belongs to an absent one is not in scope. */
    authUrl?: string;
    baseUrl?: string;
    portalUrl?: string;
    /** Patterns of operation ids that the target claims to implement; empty for all. */
    operations: string[];
    /** <tenant_path>, without slashes at its ends. */
    tenantPath?: string;
    /** Template with `{tenant_path}` of the token endpoint, below authUrl. */
    tokenPath: string;
    /** Template with `{operation}` and perhaps `{endpoint_set}` of the portal operations, below portalUrl. */
    portalPath: string;
    clientId?: string;
    clientSecret?: string;
    scope?: string;
    grantType: string;
    /** A token obtained elsewhere, used instead of asking for one. */
    accessToken?: string;
    portalLoginId?: string;
    portalPassword?: string;
    /** A session obtained elsewhere. */
    portalSessionId?: string;
    /** Added to every request; the values are secrets. */
    headers: Record<string, string>;
    /** PEM text of the client certificate, and of its key. */
    clientCert?: string;
    clientKey?: string;
    /** Exact address of the test clock. */
    testClockUrl?: string;
  };
  fixtures: Fixtures;
  run: {
    risk: Risk;
    /** Requests in flight at most. */
    concurrency: number;
    /** Requests per second at most, 0 for no limit. */
    rate: number;
    /** Per request. */
    timeoutMs: number;
    /** The whole run. */
    maxMinutes: number;
    /** How long an effect may take to show. */
    settleMs: number;
    /** Accepted orders, and CIP checks, at most. */
    maxOrders: number;
    maxCipChecks: number;
    /** Of generated inputs; 31 bits. */
    seed: number;
    waitForExpiry: boolean;
    /** Absolute. */
    reportDir: string;
    /** Absolute path of a report directory or a conformance.json. */
    baseline?: string;
    failOn: FailOn;
    /** Absolute. */
    history: string;
    knownFailures: KnownFailure[];
    personalData: 'mask' | 'keep';
    /** Patterns of requirement ids; empty for all. */
    only: string[];
    shard?: { index: number; count: number };
    /** Whether the first must that fails ends the run. */
    bail: boolean;
    thorough: boolean;
    matrix: boolean;
    /** 0 for not waiting. */
    waitForTargetSeconds: number;
    /** Options, by name, with which another run finds the same: risk, seed, and what was given. */
    repeated: Record<string, string>;
  };
}
