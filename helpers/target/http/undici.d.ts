/**
 * The parts of undici that connect. Its index brings fetch, WebSocket, caches and mocks along, which no run uses: a twentieth of
 * the memory of a run.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici';
  export default EnvHttpProxyAgent;
}
