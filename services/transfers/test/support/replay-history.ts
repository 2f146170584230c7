import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClaimPurpose, PaymentStatus } from '@comanda/contracts/bills';
import {
  firstState,
  nextStates,
  type Decision,
  type Scenario,
  type State,
} from '../../src/bill-payments/payment-saga-model.ts';

/** What the databases have of one payment: in orders, in the journal and among the attempts, by token. */
export type Stored = {
  status: PaymentStatus;
  claim: string | null;
  barred: ReadonlySet<string>;
  journal: ReadonlyMap<string, Decision>;
  attempts: ReadonlySet<string>;
};
/** One payment from its reservation on: the tokens that were used for it, and what was stored after each write. */
export type History = {
  paymentId: number;
  tokens: readonly { jti: string; purpose: ClaimPurpose }[];
  stored: readonly Stored[];
};

/** The parts of a state that are stored. */
const visibleOf = ({ status, claim, barred, journal, attempts }: State): string =>
  JSON.stringify([status, claim, barred, journal, attempts]);
const keyOf = (state: State): string => Object.values(state).join('|');

/** The journal and the attempts. */
const transfersPartOf = (visible: string): string => JSON.stringify((JSON.parse(visible) as unknown[]).slice(3));

function visibleAs({ tokens }: History, { status, claim, barred, journal, attempts }: Stored): string {
  const jtis = tokens.map(({ jti }) => jti);
  const index = claim === null ? null : jtis.indexOf(claim);
  return JSON.stringify([
    status,
    index,
    jtis.map((jti) => barred.has(jti)),
    jtis.map((jti) => journal.get(jti) ?? 'none'),
    jtis.map((jti) => attempts.has(jti)),
  ]);
}

type AfterWrite = Map<string, State[]>;
/** What was found for one payment, for those with the same scenario in the same states. */
export type Known = Map<string, Promise<AfterWrite>>;
/** A situation may have thousands of states. */
const maxKnown = 500;

function afterNextWrite(scenario: Scenario, from: readonly State[], known: Known): Promise<AfterWrite> {
  const key = `${JSON.stringify(scenario)} ${from.map(keyOf).toSorted().join(' ')}`;
  const found = known.get(key) ?? findAfterNextWrite(scenario, from);
  if (known.size > maxKnown) known.clear();
  known.set(key, found);
  return found;
}

/** The states in which something else is stored, after any number of steps that store nothing and one that does; by what is stored. */
async function findAfterNextWrite(scenario: Scenario, from: readonly State[]): Promise<AfterWrite> {
  const seen = new Set(from.map(keyOf));
  const open = [...from];
  const later: AfterWrite = new Map();
  let visited = 0;
  for (let state = open.pop(); state; state = open.pop()) {
    if (++visited % 500 === 0) await nextTurn(); // all of it may take long
    const visible = visibleOf(state);
    for (const next of nextStates(scenario, state)) {
      // Any number of instances may die.
      const each = { ...next, faults: 0 };
      const key = keyOf(each);
      if (seen.has(key)) continue;
      const stored = visibleOf(each);
      if (stored === visible) {
        seen.add(key);
        open.push(each);
      } else later.set(stored, [...(later.get(stored) ?? []), each]);
    }
  }
  return later;
}

/** Distinct states. */
const distinct = (states: readonly State[]): State[] => [
  ...new Map(states.map((state) => [keyOf(state), state])).values(),
];

/**
 * The first write of a history that is no step of the model; null if every write is one. Two instances rarely work with one
 * token at the same time, and have many more states: that is looked at only then, for each token, and at last for all.
 */
export async function firstUnknownStep(history: History, known: Known): Promise<string | null> {
  const all = history.tokens.map((_token, index) => index);
  const candidates = [[], ...all.map((token) => [token]), ...(all.length > 1 ? [all] : [])];
  let found: string | null = null;
  for (const usedTwice of candidates) {
    found = await unknownStep(history, [...all, ...usedTwice], known);
    if (found === null) return null;
  }
  return found;
}

/** `workers`: the token that each instance works with. */
async function unknownStep(history: History, workers: readonly number[], known: Known): Promise<string | null> {
  const { paymentId, tokens, stored } = history;
  const scenario: Scenario = { tokens: tokens.map(({ purpose }) => purpose), workers, maxFaults: 1 };
  let states = [firstState(scenario)];
  let before = visibleOf(firstState(scenario));
  for (const each of stored) {
    const after = visibleAs(history, each);
    if (after === before) continue;
    const once = await afterNextWrite(scenario, states, known);
    const isOfOrders = transfersPartOf(before) === transfersPartOf(after);
    const reached = once.get(after) ?? (isOfOrders ? await twoSteps({ scenario, once, after, known }) : []);
    if (reached.length === 0) return `payment ${paymentId}: from ${before} to ${after} is no step of the model`;
    states = distinct(reached);
    before = after;
  }
  return null;
}

type TwoSteps = { scenario: Scenario; once: AfterWrite; after: string; known: Known };
/** The order writer may write two changes of a bill at once. */
async function twoSteps({ scenario, once, after, known }: TwoSteps): Promise<State[]> {
  const reached: State[] = [];
  for (const states of once.values())
    reached.push(...((await afterNextWrite(scenario, distinct(states), known)).get(after) ?? []));
  return reached;
}
