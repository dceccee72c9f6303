import { expect, test } from 'vitest';
import { CardStates, stateMachine } from '../../../reports/page/states.ts';
import { Recorder } from './synthetic.ts';

function seen(play: (recorder: Recorder) => void) {
  const recorder = new Recorder();
  play(recorder);
  const states = new CardStates();
  for (const exchange of recorder.exchanges) states.add(exchange);
  return states;
}

test('card states are read before and after one change of the same card, and say nothing of two changes between readings', () => {
  const states = seen((card) => {
    card.read('a/b c', 'Active');
    card.read('other', 'Active');
    card.change('a/b c', 'cards.suspend');
    card.read('other', 'Active');
    card.read('a/b c', 'Suspended');
    card.change('a/b c', 'cards.activate', 409);
    card.read('a/b c', 'Suspended');
    card.change('other', 'cards.suspend');
    card.change('other', 'cards.close');
    card.read('other', 'Closed');
  });
  expect(states.states).toEqual(['Active', 'Suspended', 'Closed']);
  expect(states.transitions).toEqual([
    { from: 'Active', operation: 'cards.suspend', to: 'Suspended', times: 1 },
    { from: 'Suspended', operation: 'cards.activate (409)', to: 'Suspended', times: 1 },
  ]);
});

test('card states are drawn, whatever their names and number', () => {
  const states = seen((card) => {
    card.read('c', 'Active');
    for (let n = 0; n < 12; n++) {
      card.change('c', 'cards.close');
      card.read('c', `<script>${n}`);
    }
  });
  const markup = String(stateMachine(states));
  expect(markup).not.toMatch(/<script|NaN|Infinity/);
  expect(String(stateMachine(new CardStates()))).toContain('No card was read');
});
