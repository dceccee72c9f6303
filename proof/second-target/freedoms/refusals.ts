import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { addHeaders } from '../tools.ts';
import { type Freedom, family, ways } from './freedom.ts';

/** Answers refusals otherwise than with the usual body. */
function refusals(change: (reply: Reply, x: Exchange) => void, meant: (reply: Reply, x: Exchange) => boolean) {
  return (c: Choices) => {
    c.after.push((reply, x) => {
      if (reply.status >= 400 && reply.status < 500 && meant(reply, x)) change(reply, x);
    });
  };
}

function nothing(reply: Reply): void {
  delete reply.body;
}

function page(reply: Reply): void {
  delete reply.body;
  reply.bytes = `<!doctype html><title>${reply.status}</title><p>Sorry`;
  addHeaders(reply, { 'Content-Type': 'text/html; charset=utf-8' });
}

function text(reply: Reply): void {
  delete reply.body;
  reply.bytes = 'denied';
  addHeaders(reply, { 'Content-Type': 'text/plain' });
}

const isPortal = ({ operation }: Exchange) => operation.startsWith('portal.');
const isResource = ({ operation }: Exchange) => /^(users|cards|cardholders)\./.test(operation);

const bodies = ways('refusalBody', 'v3 and portal, Errors: only a 400 of the users and cards is shown with a body', {
  'refusals-other-than-400-without-a-body': refusals(nothing, ({ status }, x) => isResource(x) && status !== 400),
  'refusals-other-than-400-as-a-page': refusals(page, ({ status }, x) => isResource(x) && status !== 400),
  'refusals-of-a-token-as-text': refusals(text, ({ status }, x) => isResource(x) && status === 401),
  'refusals-of-the-portal-without-a-body': refusals(nothing, (_reply, x) => isPortal(x)),
  'refusals-of-the-portal-other-than-400-as-a-page': refusals(page, ({ status }, x) => isPortal(x) && status > 401),
  'refusals-of-the-token-endpoint-without-a-body': refusals(
    nothing,
    (_reply, { operation }) => operation === 'token.issue',
  ),
});

/** How refusals are answered of which no body is shown. */
export const refusalFreedoms: Freedom[] = family('presence', bodies);
