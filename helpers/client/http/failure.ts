/** Describes transport failures in one line that holds nothing that was sent. */
import { FAILURES, TransportError, type TransportErrorKind } from './types.ts';

interface WireFailure extends Error {
  code?: string;
  /** In an AggregateError, one for each address of a host. */
  errors?: WireFailure[];
  /** Where the connection was to go: the address of the host or the proxy. */
  address?: string;
  port?: number;
}

/** Codes of the system, of its resolver and of undici, by what they mean. */
const CODES: Partial<Record<TransportErrorKind, readonly string[]>> = {
  refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  dns: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
  reset: ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'],
  timeout: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  'headers-too-large': ['UND_ERR_HEADERS_OVERFLOW'],
  malformed: ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_RESPONSE'],
  proxy: ['UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS', 'UND_ERR_ABORTED'],
  aborted: ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
  'invalid-request': ['UND_ERR_INVALID_ARG'],
};

/** Converts the failure of a request to `host`. @param status set if an answer had begun */
export function transportErrorOf(error: unknown, host: string, status: number | null): TransportError {
  if (error instanceof TransportError) return error;
  const failure = (error as WireFailure).errors?.[0] ?? (error as WireFailure);
  const code = failure.code ?? '';
  const kind = kindOf(failure, code);
  const remedy = remedyFor(kind, code, failure.message);
  const details = [code, failure.address && `${failure.address}:${failure.port}`].filter(Boolean).join(' ');
  return new TransportError(
    kind,
    `${host}: ${FAILURES[kind]}${details && ` (${details})`}${remedy && `: ${remedy}`}`,
    status,
  );
}

function kindOf(failure: WireFailure, code: string): TransportErrorKind {
  // undici reports answers that it refuses to read as socket errors: unsolicited 100 and 101, and bytes that no request
  // asked for.
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(failure.message)) return 'malformed';
  if (PROXY_UNAUTHORISED.test(failure.message)) return 'proxy';
  if (code.startsWith('HPE_') || failure.name === 'HTTPParserError') return 'malformed';
  if (TLS_CODE.test(code)) return 'tls';
  const [kind = 'local'] = Object.entries(CODES).find(([, codes]) => codes.includes(code)) ?? [];
  return kind as TransportErrorKind;
}

/** undici's messages about a proxy that answers a request or CONNECT with 407. */
const PROXY_UNAUTHORISED = /^Proxy (?:Authentication Required|response) \(407\)/;

function remedyFor(kind: TransportErrorKind, code: string, message: string): string {
  if (PROXY_UNAUTHORISED.test(message))
    return 'it requires credentials (407); put them into HTTP_PROXY or HTTPS_PROXY: http://user:password@host';
  return kind === 'local' ? (REMEDIES[code] ?? REMEDY) : '';
}

/** Faults of this machine and their remedies; they show nothing about the target. */
const REMEDIES: Record<string, string> = {
  EMFILE: 'it allows too few open files; raise the limit (ulimit -n 1024) or lower RUN_CONCURRENCY',
  ENFILE: 'too many files are open on it; end other programs or raise its limit',
  ENOMEM: 'it is out of memory; end other programs or lower RUN_CONCURRENCY',
  ENOBUFS: 'it is out of memory for connections; end other programs or lower RUN_CONCURRENCY',
  ENOSPC: 'its disk is full',
  EADDRNOTAVAIL: 'no local port is free; wait a minute, or lower RUN_CONCURRENCY',
  EACCES: 'a rule of it, such as a firewall, forbids the connection',
  EPERM: 'a rule of it, such as a firewall, forbids the connection',
  EAFNOSUPPORT: 'it has no network for that kind of address (IPv6?)',
};
const REMEDY = 'find out what it lacks; nothing was sent to the target';

/** Error codes of OpenSSL and of Node's certificate verification. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$)|SELF_SIGNED|UNABLE_TO_|_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH/;
