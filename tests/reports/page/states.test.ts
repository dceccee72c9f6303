import { describe, expect, test } from 'vitest';
import { CardStates, stateMachine } from '../../../reports/page/states.ts';
import { answer, get, post, Recorder } from './synthetic.ts';

function seen(
  play: (tools: {
    read(id: string, status: string): void;
    change(id: string, operation: string, status?: number): void;
  }) => void,
) {
  const recorder = new Recorder();
  play({
    read: (id, status) =>
      recorder.send('cards.get', {
        request: get(`/cards/cards/${encodeURIComponent(id)}`),
        response: answer(200, { identifier: id, status }),
      }),
    change: (id, operation, status = 200) =>
      recorder.send(operation, {
        request: post(`/cards/cards/${encodeURIComponent(id)}/${operation.split('.')[1]!.toLowerCase()}`),
        response: answer(status, null),
      }),
  });
  const states = new CardStates();
  for (const exchange of recorder.exchanges) states.add(exchange);
  return states;
}

describe('card states', () => {
  test('are read before and after one change of the same card', () => {
    const states = seen(({ read, change }) => {
      read('a/b c', 'Active');
      read('other', 'Active');
      change('a/b c', 'cards.suspend');
      read('other', 'Active');
      read('a/b c', 'Suspended');
      change('a/b c', 'cards.activate', 409);
      read('a/b c', 'Suspended');
    });
    expect(states.states).toEqual(['Active', 'Suspended']);
    expect(states.transitions).toEqual([
      { from: 'Active', operation: 'cards.suspend', to: 'Suspended', times: 1 },
      { from: 'Suspended', operation: 'cards.activate (409)', to: 'Suspended', times: 1 },
    ]);
  });

  test('say nothing of two changes between readings', () => {
    const states = seen(({ read, change }) => {
      read('c', 'Active');
      change('c', 'cards.suspend');
      change('c', 'cards.close');
      read('c', 'Closed');
    });
    expect(states.transitions).toEqual([]);
  });

  test('are drawn, whatever their names and number', () => {
    const states = seen(({ read, change }) => {
      read('c', 'Active');
      for (let n = 0; n < 12; n++) {
        change('c', 'cards.close');
        read('c', `<script>${n}`);
      }
    });
    const markup = String(stateMachine(states));
    expect(markup).not.toContain('<script');
    expect(markup).not.toMatch(/NaN|Infinity/);
    expect(String(stateMachine(new CardStates()))).toContain('No card was read');
  });
});
