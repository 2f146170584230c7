import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import { isPayable, nextStep } from '../../src/bill-payments/attempt.ts';
import { undecidedMs } from '../../src/transfers/step-up-token.ts';

/**
 * A model of all states while a bill is paid from an account. It covers what the orders service, the journal and the attempts
 * have stored, and the state of each transfers instance that uses a token. `isPayable` and `nextStep` are the service's own
 * functions.
 */
type Decision = 'none' | 'posted' | 'refused' | 'expired';
/**
 * The phases of a token's lifetime. `live`: it can be spent. `ended`: its `exp` has passed. `over`: no instance can still post
 * with it.
 */
type Time = 'live' | 'ended' | 'over';
type Phase = 'idle' | 'spent' | 'noted' | 'claimed' | 'unclaimed' | 'posting' | 'decided' | 'done' | 'dead';
type State = {
  status: PaymentStatus;
  /** The token that has claimed the payment or the refund; null if there is no claim. */
  claim: number | null;
  barred: readonly boolean[];
  times: readonly Time[];
  journal: readonly Decision[];
  attempts: readonly boolean[];
  /** For each token, true if its result was reported to the orders service. The token's attempt is removed next. */
  told: readonly boolean[];
  phases: readonly Phase[];
  faults: number;
  isRestored: boolean;
};
export type Scenario = {
  /** Each token's purpose. */
  tokens: readonly ClaimPurpose[];
  /** The token that each instance uses. Two instances use the same token if a call is retried at another instance. */
  workers: readonly number[];
  maxFaults: number;
  /** True if the first token has already paid. */
  isPaid?: true;
  /**
   * True if the orders database alone may be restored, once, to its initial state. No instance runs during the restore.
   * Afterwards, the posted transfers are stored as attempts again.
   */
  mayRestore?: true;
};
/** The rules that the service follows. A search without one of them must find a defect, which shows that the rule is needed. */
export const rules = [
  'the attempt is stored',
  'before the claim',
  'one claim at a time',
  'a settlement bars its token',
  'a token has one row',
  'the expiry is written before it is settled',
  'the sweep',
  'a reservation that is claimed does not expire',
  'a payment is posted once',
  'a receipt counts without its claim',
  'what was posted is noted again after a restore',
] as const;
export type Rule = (typeof rules)[number];

const set = <T>(list: readonly T[], index: number, value: T): T[] => list.with(index, value);
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`the model has no ${index}`);
  return found;
};
const during = { payment: 'claimed', refund: 'refunding' } as const;
const begin = { payment: 'reserved', refund: 'paid' } as const;
const paidBy = { payment: 'paid', refund: 'refunded' } as const;
const givenUp = { payment: 'failed', refund: 'paid' } as const;
const nowMs = { live: -1, ended: 0, over: undecidedMs } as const;

const firstState = ({ tokens, workers, isPaid }: Scenario): State => ({
  status: isPaid ? 'paid' : 'reserved',
  claim: null,
  barred: tokens.map(() => false),
  times: tokens.map((_purpose, token) => (isPaid && token === 0 ? 'over' : 'live')),
  journal: tokens.map((_purpose, token) => (isPaid && token === 0 ? 'posted' : 'none')),
  attempts: tokens.map(() => false),
  told: tokens.map(() => false),
  phases: workers.map(() => 'idle'),
  faults: 0,
  isRestored: false,
});

/** Returns the states after each possible next step. `without`: a rule that is left out. */
function nextStates(scenario: Scenario, state: State, without: Rule | null = null): State[] {
  const has = (rule: Rule): boolean => rule !== without;
  const { tokens, workers, maxFaults } = scenario;
  const next: State[] = [];
  const add = (change: Partial<State>): void => void next.push({ ...state, ...change });
  const mayFail = state.faults < maxFaults;
  const faults = state.faults + 1;

  if (state.status === 'reserved') {
    add({ status: 'cancelled' });
    add({ status: 'expired' });
  }
  if (state.status === 'claimed' && !has('a reservation that is claimed does not expire')) add({ status: 'expired' });
  tokens.forEach((_purpose, token) => {
    const time = at(state.times, token);
    if (time !== 'over') add({ times: set(state.times, token, time === 'live' ? 'ended' : 'over') });
    // A late call declares the token expired.
    if (time !== 'live' && at(state.journal, token) === 'none') add({ journal: set(state.journal, token, 'expired') });
    if (at(state.attempts, token) && at(state.told, token)) add({ attempts: set(state.attempts, token, false) });
    if (has('the sweep') && at(state.attempts, token)) next.push(...sweep(scenario, state, { token, has }));
  });
  if (scenario.mayRestore && !state.isRestored) next.push(restored(scenario, state, has));
  workers.forEach((token, worker) => {
    const to = (phase: Phase): Pick<State, 'phases'> => ({ phases: set(state.phases, worker, phase) });
    const phase = at(state.phases, worker);
    if (mayFail && !['idle', 'done', 'dead'].includes(phase)) add({ ...to('dead'), faults });
    for (const { phase: reached, ...change } of work(scenario, state, { token, phase, has })) {
      add({ ...change, ...to(reached) });
      // The instance does not learn the result, because the response was lost or the instance died.
      if (mayFail && reached !== 'done') add({ ...change, ...to('dead'), faults });
    }
    if (phase === 'dead' && at(state.times, token) === 'live') add(to('idle')); // the same call again, with its idempotency key
  });
  return next;
}

type Has = (rule: Rule) => boolean;

function restored(scenario: Scenario, state: State, has: Has): State {
  const { status, claim, barred, told } = firstState(scenario);
  const isNotedAgain = has('what was posted is noted again after a restore');
  const attempts = state.attempts.map((each, token) => each || (isNotedAgain && at(state.journal, token) === 'posted'));
  return {
    ...state,
    status,
    claim,
    barred,
    told,
    attempts,
    isRestored: true,
    phases: state.phases.map(() => 'dead'),
  };
}

type Context = { token: number; has: Has };
type Work = Partial<State> & { phase: Phase };

function work(scenario: Scenario, state: State, { token, phase, has }: Context & { phase: Phase }): Work[] {
  const purpose = at(scenario.tokens, token);
  const isLive = at(state.times, token) === 'live';
  const noted = { attempts: set(state.attempts, token, has('the attempt is stored')) };
  const decide = (decision: Decision, own: Phase): Work[] => {
    const isFree = at(state.journal, token) === 'none' || !has('a token has one row');
    if (!isFree) return [{ phase: 'decided' }];
    return [{ journal: set(state.journal, token, decision), phase: own }];
  };
  if (phase === 'idle') {
    const claim = state.claim === null ? null : { purpose: at(scenario.tokens, state.claim), jti: `${state.claim}` };
    if (at(state.journal, token) !== 'none') return [{ phase: 'done' }];
    return isLive && isPayable({ status: state.status, claim }, { purpose, jti: `${token}` })
      ? [{ phase: 'spent' }]
      : [{ phase: 'done' }];
  }
  if (phase === 'spent') return has('before the claim') ? [{ ...noted, phase: 'noted' }] : [{ phase: 'noted' }];
  if (phase === 'noted') {
    const claimed = claimAtOrders(scenario, state, { token, has });
    if (!claimed) return [{ phase: 'unclaimed' }];
    return [{ ...claimed, phase: 'claimed' }];
  }
  if (phase === 'unclaimed') return isLive ? decide('refused', 'decided') : [{ phase: 'done' }];
  if (phase === 'claimed') return [{ ...(!has('before the claim') && noted), phase: isLive ? 'posting' : 'done' }];
  if (phase === 'posting') {
    // Another token has moved the money. Other steps of the sweep report that to the orders service.
    if (postedOf(scenario, state, purpose) !== null && has('a payment is posted once')) return [{ phase: 'done' }];
    return [...decide('posted', 'decided'), ...decide('refused', 'decided')];
  }
  if (phase === 'decided') return [{ ...settleAtOrders(scenario, state, { token, has }), phase: 'done' }];
  return [];
}

function claimAtOrders(scenario: Scenario, state: State, { token, has }: Context): Partial<State> | null {
  const purpose = at(scenario.tokens, token);
  if (at(state.barred, token) && has('a settlement bars its token')) return null;
  if (at(state.times, token) !== 'live') return null;
  const isOwn = state.status === during[purpose] && state.claim === token;
  const isTaken = state.status === during[purpose] && !has('one claim at a time');
  if (!isOwn && !isTaken && state.status !== begin[purpose]) return null;
  return { status: during[purpose], claim: token };
}

/** Returns the token that has paid or refunded the payment; null if none has. */
function postedOf({ tokens }: Scenario, state: State, purpose: ClaimPurpose): number | null {
  const found = tokens.findIndex((each, token) => each === purpose && at(state.journal, token) === 'posted');
  return found < 0 ? null : found;
}

/** The statuses that a payment can have in the orders service before that service gets the receipt for paying or refunding it. */
const before: Record<ClaimPurpose, readonly PaymentStatus[]> = {
  payment: ['reserved', 'claimed', 'cancelled', 'expired', 'failed'],
  refund: ['paid', 'refunding'],
};

/** Returns what a receipt changes in the orders service, as fields of the state; null if that service rejects it. */
function enterReceipt({ tokens }: Scenario, state: State, { token, has }: Context): Partial<State> | null {
  const purpose = at(tokens, token);
  const isOwn = state.status === during[purpose] && state.claim === token;
  if (isOwn || (before[purpose].includes(state.status) && has('a receipt counts without its claim')))
    return { status: paidBy[purpose], claim: null };
  return state.status === 'refunded' || (purpose === 'payment' && !before.payment.includes(state.status)) ? {} : null;
}

/** Returns what a report about a token changes in the orders service, as fields of the state. Empty if that service rejects it. */
function settleAtOrders(scenario: Scenario, state: State, { token, has }: Context): Partial<State> {
  const told = set(state.told, token, true);
  if (at(state.journal, token) === 'posted') {
    const entered = enterReceipt(scenario, state, { token, has });
    return entered === null ? {} : { ...entered, told };
  }
  const purpose = at(scenario.tokens, token);
  const isOwn = state.status === during[purpose] && state.claim === token;
  const barred = set(state.barred, token, true);
  return { told, barred, ...(isOwn && { status: givenUp[purpose], claim: null }) };
}

/** Returns the states after the sweep's next step for one token. Empty while the token may still be used to post. */
function sweep(scenario: Scenario, state: State, { token, has }: Context): State[] {
  const decision = at(state.journal, token);
  const purpose = at(scenario.tokens, token);
  if (decision === 'none' && postedOf(scenario, state, purpose) !== null)
    return [tellPosted(scenario, state, { token, has })];
  const row = decision === 'none' ? null : { status: decision };
  const step = nextStep(row, { tokenExpiresAtMs: 0, nowMs: nowMs[at(state.times, token)] });
  if (step === 'wait') return [];
  if (step === 'settle' || !has('the expiry is written before it is settled'))
    return [{ ...state, ...settleAtOrders(scenario, state, { token, has }) }];
  return [{ ...state, journal: set(state.journal, token, 'expired') }];
}

/**
 * Reports that another token has moved the money. The orders service gets the payment's receipt in one step, and the refund's
 * receipt in the next.
 */
function tellPosted(scenario: Scenario, state: State, { token, has }: Context): State {
  for (const purpose of ['payment', 'refund'] as const) {
    const posted = postedOf(scenario, state, purpose);
    const entered = posted === null ? {} : enterReceipt(scenario, state, { token: posted, has });
    if (entered === null) return state;
    if (entered.status) return { ...state, ...entered };
  }
  return { ...state, told: set(state.told, token, true) };
}

/** Returns what is wrong in `state`; null if nothing is. `isLast`: there is no further step. */
function defectOf({ tokens }: Scenario, state: State, isLast: boolean): string | null {
  const count = (purpose: ClaimPurpose): number =>
    tokens.filter((each, token) => each === purpose && at(state.journal, token) === 'posted').length;
  const [payments, refunds] = [count('payment'), count('refund')];
  const { status } = state;
  if (payments > 1 || refunds > 1) return 'posted twice';
  if (state.isRestored && state.attempts.some(Boolean) && !isLast) return null; // the sweep will report again what orders has lost
  if (['reserved', 'cancelled', 'expired', 'failed'].includes(status) && payments > 0) return `${status}, but posted`;
  if (['paid', 'refunding', 'refunded'].includes(status) && payments !== 1) return `${status}, but not posted`;
  if (status === 'paid' && refunds > 0) return 'paid, but given back';
  if (status === 'refunded' && refunds !== 1) return 'refunded, but not given back';
  if (isLast && (status === 'claimed' || status === 'refunding')) return `${status} for ever`;
  return null;
}

/** Visits every state. Returns the number of states, and the first defect. */
export function explore(scenario: Scenario, without: Rule | null = null): { states: number; defect: string | null } {
  const first = withKey(firstState(scenario));
  const seen = new Set([first.key]);
  const open = [first];
  for (let each = open.pop(); each; each = open.pop()) {
    const { state, key: own } = each;
    const next = nextStates(scenario, state, without).map(withKey);
    const isLast = next.every(({ key }) => key === own);
    const defect = defectOf(scenario, state, isLast);
    if (defect) return { states: seen.size, defect };
    for (const later of next) {
      if (seen.has(later.key)) continue;
      seen.add(later.key);
      open.push(later);
    }
  }
  return { states: seen.size, defect: null };
}

const withKey = (state: State): { state: State; key: string } => ({ state, key: Object.values(state).join('|') });
