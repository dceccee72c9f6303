/** Examines the portal: whether it is reachable and accepts the login. */
import { type Answer, bodyOf, describe, isObject, member, succeeded } from '../answer.ts';
import { operationInScope } from '../configuration/scope.ts';
import { SHOWING } from '../runner/reach.ts';
import { TransportError } from '../target/http/types.ts';
import { connectionFault, excerpt, gatewayAdvice, isHtml } from './answers.ts';
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
    const session = given ?? member(answer, 'sessionId');
    if (succeeded(answer) && isObject(bodyOf(answer)) && typeof session === 'string' && session !== '') {
      const what = given ? 'TARGET_PORTAL_SESSION_ID is accepted' : 'the login gives a session';
      return { remarks: [good(what)], remedy: {}, sessionId: session, customerId: member(answer, 'customerId') };
    }
    return await explain(probe, answer);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { remarks: [await explainFailure(error, target.portalUrl!, 'TARGET_PORTAL_URL')], remedy: {} };
  }
}

async function explain(probe: Probe, answer: Answer): Promise<PortalExamination> {
  const { status, operation } = answer;
  const finding = `${operation.id} answers ${excerpt(probe, answer)}`;
  const only = (remark: Remark) => ({ remarks: [remark], remedy: {} });
  const way = connectionFault(probe, answer, 'TARGET_PORTAL_URL');
  if (way) return only(way);
  if (status === 404 || status === 405 || isHtml(answer)) return wrongTemplate(probe, finding);
  if (succeeded(answer))
    return only(fault(finding, 'it holds no session: a run reports that as a failure and blocks the other checks'));
  if (status >= 500) return only(fault(finding, 'a run reports that as a failure and blocks the other checks'));
  const own =
    operation.id === 'portal.login'
      ? 'check TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD; if the login requires a verification code, log in by hand and set TARGET_PORTAL_SESSION_ID to the session'
      : 'the session of TARGET_PORTAL_SESSION_ID may have expired: log in again';
  return only(fault(finding, status === 400 ? own : `${own}; otherwise ${gatewayAdvice(probe)}`));
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
async function wrongTemplate(probe: Probe, finding: string): Promise<PortalExamination> {
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
      remarks: [
        fault(finding, 'none of the usual path templates works: check TARGET_PORTAL_URL and TARGET_PORTAL_PATH'),
      ],
      remedy: {},
    };
  const remedy: Remedy = {
    ...(found.portalUrl === target.portalUrl ? {} : { TARGET_PORTAL_URL: found.portalUrl }),
    ...(found.portalPath === target.portalPath ? {} : { TARGET_PORTAL_PATH: found.portalPath }),
  };
  return { remarks: [fault(finding, `the operations are found with ${inWords(remedy)}`)], remedy };
}
