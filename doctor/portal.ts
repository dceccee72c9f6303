/** Examines the portal: whether it is reachable and accepts the login. */
import { describe, member, succeeded } from '../helpers/answer.ts';
import { type Cause, causeOf, excerpt, isHtml } from '../helpers/client/diagnosis.ts';
import { TransportError } from '../helpers/client/http/types.ts';
import { operationInScope } from '../helpers/configuration/scope.ts';
import { SHOWING } from '../helpers/runner/reach.ts';
import { fault, good, note, type Remark, type Remedy } from './diagnosis.ts';
import { attempted, firstWorking } from './fitting.ts';
import { explainFailure } from './network.ts';
import type { Probe } from './probe.ts';
import { inWords } from './token.ts';

/** `sessionId` and `customerId` are set if the login or the given session was accepted. */
export interface PortalExamination {
  remarks: Remark[];
  remedy: Remedy;
  sessionId?: string;
  customerId?: unknown;
}

/** Logs in, or tries the given session. Problems become remarks and are not thrown. The caller ends the session. */
export async function examinePortal(probe: Probe): Promise<PortalExamination> {
  const { target } = probe.configuration;
  const given = target.portalSessionId;
  const showing = SHOWING.session.find((id) => operationInScope(probe.configuration, id));
  if (given && !showing)
    return {
      remarks: [note('TARGET_PORTAL_SESSION_ID is not tried: no claimed operation shows whether it is accepted')],
      remedy: {},
      sessionId: given,
    };
  try {
    const answer = given
      ? await probe.call(showing!, {}, { sessionId: given })
      : await probe.call('portal.login', { query: { loginID: target.portalLoginId, password: target.portalPassword } });
    const cause = causeOf(probe, answer);
    if (cause?.isOfAddress) return await wrongTemplate(probe, cause);
    if (cause) return { remarks: [fault(cause.text, cause.advice)], remedy: {} };
    const session = given ?? String(member(answer, 'sessionId'));
    const what = given ? 'TARGET_PORTAL_SESSION_ID is accepted' : 'the login gives a session';
    return { remarks: [good(what)], remedy: {}, sessionId: session, customerId: member(answer, 'customerId') };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { remarks: [await explainFailure(error, target.portalUrl!, 'TARGET_PORTAL_URL')], remedy: {} };
  }
}

/** Logs the restricted user in and out, and checks that the forbidden operation is refused as the fixtures promise. */
export async function examineRestrictedLogin(probe: Probe): Promise<Remark[]> {
  const { loginID, password, forbiddenOperation } = probe.configuration.fixtures.portal?.restrictedLogin ?? {};
  if (loginID === undefined || password === undefined) return [];
  if (loginID.toLowerCase() === probe.configuration.target.portalLoginId?.toLowerCase())
    return [
      note(
        'portal.restrictedLogin is the user of TARGET_PORTAL_LOGIN_ID',
        'name another user: otherwise the checks that need it are skipped',
      ),
    ];
  const answer = await probe.call('portal.login', { query: { loginID, password } });
  const sessionId = member(answer, 'sessionId');
  if (!succeeded(answer) || typeof sessionId !== 'string')
    return [
      fault(`portal.restrictedLogin: portal.login answers ${excerpt(probe, answer)}`, 'correct the fixtures file'),
    ];
  const remarks = [
    good('portal.restrictedLogin logs in'),
    ...(await examineForbidden(probe, sessionId, forbiddenOperation)),
  ];
  await probe.call('portal.logout', {}, { sessionId });
  return remarks;
}

/**
 * Checks that an operation without parameters is refused to the restricted user; other operations are left to a run.
 */
async function examineForbidden(probe: Probe, sessionId: string, name: string | undefined): Promise<Remark[]> {
  const id = `portal.${name}`;
  if (!['portal.getCustomerList', 'portal.getShippingFeeTypes', 'portal.getShippingMethods'].includes(id)) return [];
  const answer = await probe.call(id, {}, { sessionId });
  return answer.status === 401
    ? [good(`${id} refuses it with 401, as it should`)]
    : [
        note(
          `${id} answers it with ${describe(answer)} instead of 401`,
          'either the user is entitled, or a run will report the target as nonconformant',
        ),
      ];
}

const TEMPLATES = [
  '/_ah/api/{operation}',
  '/_ah/api/{endpoint_set}/v1/{operation}',
  '/_ah/api/{endpoint_set}/{operation}',
  '/{endpoint_set}/v1/{operation}',
  '/{endpoint_set}/{operation}',
  '/api/{endpoint_set}/v1/{operation}',
  '/api/{operation}',
  '/v1/{operation}',
  '/{operation}',
];

/** Tries other templates without a session: an existing operation refuses the request, a missing one is not found. */
async function wrongTemplate(probe: Probe, cause: Cause): Promise<PortalExamination> {
  const { target } = probe.configuration;
  const short = target.portalUrl!.replace(/\/_ah(\/.*)?$/, '');
  const addresses = [...new Set([short, target.portalUrl!])];
  const templates = [...new Set([target.portalPath, ...TEMPLATES])];
  const candidates = addresses.flatMap((portalUrl) => templates.map((portalPath) => ({ portalUrl, portalPath })));
  const found = await firstWorking(candidates, async (candidate, control) => {
    const portalPath = control ? candidate.portalPath.replace('{operation}', 'noSuchOperation') : candidate.portalPath;
    const tried = await attempted(
      probe.call('portal.getShippingMethods', {}, {}, { ...target, ...candidate, portalPath }),
    );
    return tried !== undefined && [400, 401, 403].includes(tried.status) && !isHtml(tried);
  });
  if (!found)
    return {
      remarks: [fault(cause.text, `none of the usual path templates works: ${cause.advice}`)],
      remedy: {},
    };
  const remedy: Remedy = {
    ...(found.portalUrl === target.portalUrl ? {} : { TARGET_PORTAL_URL: found.portalUrl }),
    ...(found.portalPath === target.portalPath ? {} : { TARGET_PORTAL_PATH: found.portalPath }),
  };
  return { remarks: [fault(cause.text, `the operations are found with ${inWords(remedy)}`)], remedy };
}
