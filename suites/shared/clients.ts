/** Which client of the users and cards a request is of, as far as exchanges show it. */
import { type Answer, member, succeeded } from '../../helpers/answer.ts';

/** The clients by their tokens. Whose a token is that nobody was seen to be given, the token alone tells. */
export function clientsOf(history: readonly Answer[]): (answer: Answer) => string | undefined {
  const issued = history.filter((answer) => answer.operation.id === 'token.issue' && succeeded(answer));
  const clients = new Map(issued.map((answer) => [member(answer, 'access_token'), answer.input.form?.client_id]));
  return ({ token }) => (token === undefined ? undefined : (clients.get(token) ?? token));
}

/** Whether all requests are of one client, so that what the fixtures file says of "these credentials" is said of it. */
export function areOfOneClient(history: readonly Answer[]): boolean {
  const clientOf = clientsOf(history);
  const bearers = history.filter(
    ({ intent, operation }) => operation.authorisation === 'bearer' && intent !== 'unauthorised',
  );
  return new Set(bearers.map(clientOf).filter((client) => client !== undefined)).size <= 1;
}
