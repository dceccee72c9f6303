/** Explains why no answer arrived, by kind of failure, to whoever can fix it. */
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import type { TransportError } from '../helpers/client/http/types.ts';
import { PROXY_VARIABLES } from '../helpers/configuration/addresses.ts';
import { fault, type Remark } from './diagnosis.ts';

const PEEK_MS = 5000;

/** @param variable the variable that holds the address */
export async function explainFailure(error: TransportError, address: string, variable: string): Promise<Remark> {
  const url = new URL(address);
  const via = proxyVariable(url.protocol);
  const proxy = via ? `; ${via} is set: it takes the request unless NO_PROXY names ${url.hostname}` : '';
  switch (error.kind) {
    case 'dns':
      return fault(
        `${error.message}`,
        `check the host in ${variable}${via ? proxy : `, and whether this network needs ${url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'}`}`,
      );
    case 'refused':
      if (via && refusedByProxy(error, url, via))
        return fault(
          error.message,
          `the proxy of ${via} refused, not the target: check its address, or name ${url.hostname} in NO_PROXY`,
        );
      return fault(error.message, `check host and port in ${variable}, and whether the target is running${proxy}`);
    case 'timeout':
      return fault(
        error.message,
        `a firewall may drop the packets, or the target is slow: check ${variable}, a VPN, RUN_TIMEOUT_MS${proxy}`,
      );
    case 'proxy':
      return fault(
        error.message,
        via
          ? `the proxy of ${via} does not let the request through: check its address and credentials, or name ${url.hostname} in NO_PROXY`
          : `check the proxy of this network`,
      );
    case 'tls':
      return explainTls(error, url, variable);
    case 'reset':
    case 'malformed':
      return fault(
        error.message,
        url.protocol === 'http:'
          ? `does ${variable} have to begin with https://?${proxy}`
          : `check host and port in ${variable}, and whether a client certificate is asked for (TARGET_CLIENT_CERT)${proxy}`,
      );
    default:
      return fault(error.message, `check ${variable}`);
  }
}

/** The proxy variable that applies to a protocol; undefined if none is set. */
function proxyVariable(protocol: string): string | undefined {
  return PROXY_VARIABLES[protocol === 'https:' ? protocol : 'http:'].find((name) => process.env[name]);
}

/** Whether the proxy refused the connection, judged by its port. */
function refusedByProxy({ message }: TransportError, url: URL, via: string): boolean {
  const proxy = URL.parse(process.env[via] ?? '');
  return proxy !== null && portOf(proxy) !== portOf(url) && message.endsWith(`:${portOf(proxy)})`);
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

async function explainTls(error: TransportError, url: URL, variable: string): Promise<Remark> {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(error.message))
    return fault(error.message, `no TLS is spoken there: does ${variable} have to begin with http://?`);
  if (/CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE/.test(error.message))
    return fault(
      error.message,
      'the target asks for a client certificate: set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY',
    );
  const certificate = await peek(url);
  const shown = certificate ? `; ${describe(certificate)}` : '';
  const because = (advice: string) => fault(`${error.message}${shown}`, advice);
  if (/HAS_EXPIRED|NOT_YET_VALID/.test(error.message))
    return because('the target has to renew its certificate, unless the clock of this machine is wrong');
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(error.message))
    return because(`the certificate is not for ${url.hostname}: set ${variable} to a name that it covers`);
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  const issuer = certificate ? ` of ${nameOf(rootOf(certificate).issuer)}` : ' that issued it';
  return because(
    extra
      ? `NODE_EXTRA_CA_CERTS=${extra} does not hold the certificate${issuer}, or cannot be read`
      : `put the certificate${issuer} into a PEM file and name it in the environment of the command (not in .env): NODE_EXTRA_CA_CERTS=/path/to/ca.pem`,
  );
}

/** The certificate that a server presents, trusted or not; undefined if none can be read directly. */
function peek(url: URL): Promise<PeerCertificate | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // Nothing is sent over this connection; it only reads an untrusted certificate.
    const socket = connect(
      { host, port: Number(url.port || 443), ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false },
      () => {
        const certificate = socket.getPeerCertificate(true);
        resolve(certificate.subject ? certificate : undefined);
        socket.destroy();
      },
    );
    socket.setTimeout(PEEK_MS, () => socket.destroy());
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
  });
}

function rootOf(certificate: PeerCertificate): PeerCertificate {
  let current = certificate;
  for (;;) {
    const issuer = (current as { issuerCertificate?: PeerCertificate }).issuerCertificate;
    if (!issuer || issuer === current || issuer.fingerprint256 === current.fingerprint256) return current;
    current = issuer;
  }
}

const nameOf = (name: PeerCertificate['subject']): string => String(name.CN ?? name.O ?? 'an unnamed issuer');

function describe(certificate: PeerCertificate): string {
  const names = certificate.subjectaltname ? ` for ${certificate.subjectaltname}` : '';
  return `its certificate: ${nameOf(certificate.subject)}${names}, issued by ${nameOf(certificate.issuer)}, valid from ${certificate.valid_from} to ${certificate.valid_to}`;
}
