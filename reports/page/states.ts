/**
 * The card state machine as the run saw it: the `status` of a card, read before and after operations that change it.
 */
import type { Exchange } from '../../contracts/record.ts';
import { STATE_CHANGING } from '../../contracts/v3/cards.ts';
import { percentDecoded } from '../text.ts';
import { type Html, html } from './html.ts';

interface Transition {
  from: string;
  operation: string;
  to: string;
  times: number;
}

/** Follows every card through the exchanges, in the order in which they ended. */
export class CardStates {
  readonly #cards = new Map<string, { status: string | undefined; since: string[] }>();
  readonly #seen = new Map<string, Transition>();
  readonly #states = new Set<string>();

  /** Call for each exchange, in the order in which they were sent. */
  add(exchange: Exchange): void {
    const { operation, response } = exchange;
    const read = operation === 'cards.get';
    if (!response || !(read || STATE_CHANGING.includes(operation))) return;
    const accepted = response.status >= 200 && response.status < 300;
    if (read && !accepted) return;
    const answer = read ? cardIn(response.body) : undefined;
    const id = read ? answer?.identifier : cardOf(exchange.request.url);
    if (id === undefined) return;
    const card = this.#cards.get(id) ?? { status: undefined, since: [] };
    this.#cards.set(id, card);
    if (!read) card.since.push(accepted ? operation : `${operation} (${response.status})`);
    else if (answer?.status !== undefined) {
      this.#states.add(answer.status);
      const [change, ...more] = card.since;
      if (card.status !== undefined && change && more.length === 0) this.#count(card.status, change, answer.status);
      card.status = answer.status;
      card.since = [];
    }
  }

  #count(from: string, operation: string, to: string): void {
    const key = JSON.stringify([from, operation, to]);
    const transition = this.#seen.get(key) ?? { from, operation, to, times: 0 };
    transition.times++;
    this.#seen.set(key, transition);
  }

  /** Every status in which a card was seen, in order of first appearance. */
  get states(): string[] {
    return [...this.#states];
  }

  /**
   * Operations that changed a card, or left it unchanged, if they were the only change between two readings of the
   * card.
   */
  get transitions(): Transition[] {
    return [...this.#seen.values()];
  }
}

function cardIn(body: string | null): { identifier: string; status: string | undefined } | undefined {
  try {
    const { identifier, status } = JSON.parse(body ?? '');
    if (typeof identifier !== 'string') return undefined;
    return { identifier, status: typeof status === 'string' ? status : undefined };
  } catch {
    return undefined;
  }
}

/** The identifier in `.../cards/cards/{identifier}/{operation}`. */
function cardOf(url: string): string | undefined {
  const segment = /\/cards\/([^/?#]+)\/\w+(?:[?#]|$)/.exec(url)?.[1];
  return segment && percentDecoded(segment);
}

/** Number of states that are drawn; further ones are in the table only. */
const MOST_DRAWN = 7;
const [WIDTH, HEIGHT] = [560, 320];
/** Distance of the other states from the middle. */
const [ACROSS, DOWN] = [218, 132];

/** The drawing, and the table for what it leaves out and for those who do not see it. */
export function stateMachine(states: CardStates): Html {
  if (states.states.length === 0) return html`<p>No card was read in this run.</p>`;
  const { transitions } = states;
  const rows = transitions.map(
    ({ from, operation, to, times }) =>
      html`<tr><td>${from}</td><td><code>${operation}</code></td><td>${from === to ? 'stays ' : ''}${to}</td><td class="number">${times}</td></tr>`,
  );
  return html`<div class="machine"><figure>${drawing(states)}<figcaption>States by the <code>status</code> of a card, and the operations that led from one to another.</figcaption></figure>${
    rows.length > 0 &&
    html`<div class="scroll" tabindex="0" role="region" aria-label="Transitions of cards"><table><thead><tr><th>From</th><th>Operation</th><th>To</th><th class="number">Seen</th></tr></thead><tbody>${rows}</tbody></table></div>`
  }</div>`;
}

interface Point {
  x: number;
  y: number;
}

function drawing(machine: CardStates): Html {
  const moves = machine.transitions.filter(({ from, to }) => from !== to);
  const degree = (state: string) => moves.filter(({ from, to }) => from === state || to === state).length;
  const states = machine.states.toSorted((a, b) => degree(b) - degree(a)).slice(0, MOST_DRAWN);
  const places = new Map(states.map((state, index) => [state, place(index, states.length)]));
  const edges = Map.groupBy(
    moves.filter(({ from, to }) => places.has(from) && places.has(to)),
    ({ from, to }) => JSON.stringify([from, to]),
  );
  const arrows = [...edges.values()].map((group) => {
    const { from, to } = group[0]!;
    return arrow(
      places.get(from)!,
      places.get(to)!,
      group.map(({ operation }) => operation.replace(/^cards\./, '')),
    );
  });
  const nodes = [...places].map(
    ([state, { x, y }]) =>
      html`<g><rect x="${x - 56}" y="${y - 17}" width="112" height="34" rx="17"/><text x="${x}" y="${y + 5}">${short(state, 14)}</text></g>`,
  );
  const description = moves.map(({ from, operation, to }) => `${operation} leads from ${from} to ${to}`).join('; ');
  return html`<svg class="states" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${description || 'No change of state was seen'}"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>${arrows}${nodes}</svg>`;
}

/** Places the state with the most changes in the middle, and the others around it. */
function place(index: number, count: number): Point {
  const [x, y] = [WIDTH / 2, HEIGHT / 2];
  if (index === 0) return { x, y };
  const angle = Math.PI * (1 + (2 * (index - 1)) / (count - 1));
  return { x: Math.round(x + ACROSS * Math.cos(angle)), y: Math.round(y + DOWN * Math.sin(angle)) };
}

/** A bent line between the edges of two states; the opposite direction bends to the other side. */
function arrow(from: Point, to: Point, labels: string[]): Html {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const bend = 30;
  const via = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  const start = edge(from, via);
  const end = edge(to, via);
  const label = { x: (start.x + 2 * via.x + end.x) / 4, y: (start.y + 2 * via.y + end.y) / 4 };
  const text = labels.map(
    (name, index) =>
      html`<text class="label" x="${Math.round(label.x)}" y="${Math.round(label.y + 4 + (index - (labels.length - 1) / 2) * 14)}">${short(name, 22)}</text>`,
  );
  return html`<path class="arrow" d="M${point(start)} Q${point(via)} ${point(end)}" marker-end="url(#tip)"/>${text}`;
}

/** Where the line from the middle of a state towards a point crosses its outline. */
function edge(middle: Point, towards: Point): Point {
  const [dx, dy] = [towards.x - middle.x, towards.y - middle.y];
  const scale = Math.min(60 / Math.abs(dx || 1e-9), 21 / Math.abs(dy || 1e-9));
  return { x: middle.x + dx * scale, y: middle.y + dy * scale };
}

const point = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
