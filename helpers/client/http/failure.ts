/** Describes transport failures in one line that holds nothing that was sent. */
import { TransportError, type TransportErrorKind } from './types.ts';

interface WireFailure extends Error {
  code?: string;
  /** In an AggregateError, one for each address of a host. */
  errors?: WireFailure[];
  /** Where the connection was to go: the address of the host or the proxy. */
  address?: string;
  port?: number;
}

const KINDS: Record<string, TransportErrorKind> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  UND_ERR_RESPONSE: 'malformed',
  UND_ERR_PRX_CONN: 'proxy',
  UND_ERR_PRX_TLS: 'proxy',
  UND_ERR_ABORTED: 'proxy',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_INVALID_ARG: 'invalid-request',
};

const SENTENCES: Record<TransportErrorKind, string> = {
  timeout: 'no connection in time',
  refused: 'the connection was refused',
  reset: 'the connection was closed before the answer was complete',
  dns: 'the host name was not resolved',
  tls: 'no TLS connection',
  proxy: 'the proxy refused to connect',
  'no-room': 'the answer is not read',
  'too-large': 'the answer is too large',
  'bad-encoding': 'the answer cannot be decoded',
  malformed: 'the answer is not HTTP',
  local: 'this machine could not send it',
  'headers-too-large': 'the headers of the answer are too large',
  aborted: 'the run is over',
  'gave-up': 'no longer tried',
  'invalid-request': 'HTTP cannot carry this request',
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
    `${host}: ${SENTENCES[kind]}${details && ` (${details})`}${remedy && `: ${remedy}`}`,
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
  return KINDS[code] ?? 'local';
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
