/** Decodes Content-Encoding (RFC 9110 section 8.4). */
import zlib, { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { TransportError } from './types.ts';

/** The encodings that requests accept; zstd is decoded as well. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** Limit on nested encodings; more would only serve to exhaust the reader. */
const MAX_ENCODINGS = 3;

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const DECODERS: Record<string, Decoder> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  // Missing before Node 22.15.
  ...(zlib.zstdDecompressSync ? { zstd: zlib.zstdDecompressSync } : {}),
};

/**
 * Decodes a body. An unregistered encoding, such as a charset put in the wrong header, is ignored: whether the bytes
 * can be read shows later.
 * @throws TransportError of kind 'bad-encoding', or 'too-large' if the decoded body would exceed `maxBytes`, or is encoded too often
 */
export function decodeBody(
  body: Buffer,
  headers: Record<string, string | string[]>,
  status: number,
  maxBytes: number,
): Buffer {
  const header = headers['content-encoding'];
  if (header === undefined || body.length === 0) return body;
  const encodings = String(header)
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => Object.hasOwn(DECODERS, encoding));
  if (encodings.length > MAX_ENCODINGS) {
    throw new TransportError(
      'too-large',
      `the answer is not read: it has ${encodings.length} nested encodings`,
      status,
    );
  }
  return encodings.reduceRight((bytes, encoding) => decodeOnce(bytes, encoding, status, maxBytes), body);
}

function decodeOnce(bytes: Buffer, encoding: string, status: number, maxBytes: number): Buffer {
  try {
    return DECODERS[encoding]!(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes, status);
    throw new TransportError(
      'bad-encoding',
      `the answer declares Content-Encoding: ${encoding}, but cannot be decoded`,
      status,
    );
  }
}

/** Decodes 'deflate', which means the zlib format; some servers omit the zlib header. */
function inflate(bytes: Buffer, options: { maxOutputLength: number }): Buffer {
  const hasZlibHeader = (bytes[0]! & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
  return hasZlibHeader ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

/** The error for an answer whose body, decoded or not, exceeds the limit. */
export function tooLarge(maxBytes: number, status: number): TransportError {
  return new TransportError('too-large', `the body of the answer is larger than ${maxBytes} bytes`, status);
}
