import { stepsFrom } from './pix-saga-model.ts';
import { first, type PixScenario, type State } from './pix-saga-state.ts';

/** What is recorded of a Pix that is paid, and perhaps refunded once. */
const scenario: PixScenario = { pix: ['e1'], refunds: { e1: 1, e2: 0 } };
const shown = ({ A, receipts }: State): string => `${A.status} ${receipts.e1.state}`;

/**
 * Follows a recorded history in the model. Each entry is the status of the payment and the state of the receipt, such as `paid
 * settling`, in the order in which they were stored. Returns the first change that the model never makes; null if it makes all.
 */
export function replayPix(history: readonly string[]): string | null {
  let [before = '', ...rest] = history;
  if (shown(first) !== before) return `it begins with ${before}`;
  let states = withHiddenSteps([first]);
  for (const after of rest) {
    states = withHiddenSteps(states.flatMap(nextOf).filter((state) => shown(state) === after));
    if (states.length === 0) return `${before} -> ${after}`;
    before = after;
  }
  return null;
}

function nextOf(state: State): State[] {
  const { machine, people } = stepsFrom(state, scenario, () => true);
  return [...machine, ...people];
}

/** Adds every state that is reached without a change of what is recorded. */
function withHiddenSteps(states: readonly State[]): State[] {
  const seen = new Map(states.map((state) => [JSON.stringify(state), state]));
  for (const state of seen.values())
    for (const next of nextOf(state)) if (shown(next) === shown(state)) seen.set(JSON.stringify(next), next);
  return [...seen.values()];
}
