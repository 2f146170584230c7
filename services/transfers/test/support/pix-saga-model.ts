import {
  nothing,
  unknown,
  first,
  hasEnded,
  hasMoney,
  payments,
  pay,
  note,
  setRefund,
  send,
  paidBy,
  deliver,
  type PixId,
  type Payment,
  type Refund,
  type State,
  type Has,
  type PixRule,
  type PixScenario,
} from './pix-saga-state.ts';

/** Returns the states after each step of time, people and the bank. */
function stepsOfPeople(scenario: PixScenario, state: State, has: Has): State[] {
  const { A, hasCharge, money } = state;
  const next: State[] = [];
  if (A.status === 'none' && !state.restored) next.push(pay(state, 'A', { status: 'reserved' }));
  for (const id of payments) {
    if (state[id].status === 'reserved') next.push(pay(state, id, { status: 'expired' }));
    if (hasEnded.has(state[id].status) && !state[id].isPartTaken) next.push(pay(state, id, { isPartTaken: true }));
  }
  if (A.status === 'reserved') next.push(pay(state, 'A', { status: 'cancelled' }));
  if (A.status === 'reserved' && !hasCharge) next.push({ ...state, hasCharge: true });
  if (A.status === 'paid' && A.by === 'staff' && !state.isRefundedByHand)
    next.push({ ...pay(state, 'A', { status: 'refunded' }), isRefundedByHand: true });
  if (scenario.hasStaff && hasCharge && A.status === 'reserved' && !state.isConfirmed)
    next.push({ ...send(state, 'confirmation - A'), isConfirmed: true });
  // Money may come at any time after there is a code.
  const isCodeOut = hasCharge || state.restored === 'transfers';
  for (const pix of scenario.pix) {
    const isNext = money[pix] === 'none' && (pix === 'e1' || money.e1 !== 'none');
    const kinds = scenario.hasWrongAmounts && pix === 'e1' ? (['right', 'wrong'] as const) : (['right'] as const);
    if (isCodeOut && isNext) next.push(...kinds.map((kind) => ({ ...state, money: { ...money, [pix]: kind } })));
    if (scenario.mayReturn && state.returned[pix] === null && money[pix] !== 'none')
      next.push({ ...state, returned: { ...state.returned, [pix]: { n: 'own', state: 'done' } } });
    next.push(...managerSteps(scenario, state, pix));
  }
  if (scenario.mayRestore && !state.restored && A.status !== 'none')
    next.push(...(scenario.mayRestore === 'orders' ? ordersRestored(state, has) : transfersRestored(state)));
  return next;
}

/** The bank ends what it has begun. */
function stepsOfBank(state: State, pix: PixId): State[] {
  const returned = state.returned[pix];
  if (returned?.state !== 'processing') return [];
  return (['done', 'failed'] as const).map((end) => ({
    ...state,
    returned: { ...state.returned, [pix]: { ...returned, state: end } },
  }));
}

/** A manager assigns what is unmatched, and gives back what is there. */
function managerSteps(scenario: PixScenario, state: State, pix: PixId): State[] {
  const { state: now } = state.receipts[pix];
  const next: State[] = [];
  if (now === 'unmatched' && state.B.status === 'none')
    next.push(note(pay(state, 'B', { status: 'reserved' }), pix, { state: 'settling', named: 'B' }));
  const n = state.begun[pix] + 1;
  if ((now === 'unmatched' || now === 'settled') && n <= scenario.refunds[pix]) {
    const begun = { ...state, begun: { ...state.begun, [pix]: n } };
    next.push(setRefund(note(begun, pix, { state: 'refunding' }), pix, { n, step: 'stored' }));
  }
  return next;
}

/** Orders is restored to when A was reserved, to before it, or to when A was paid. Nothing is under way. */
function ordersRestored(state: State, has: Has): State[] {
  const was: Payment[] = [nothing, { ...nothing, status: 'reserved' }];
  if (state.wasPaidBy) was.push({ ...nothing, status: 'paid', by: state.wasPaidBy });
  return was.map((A) => {
    const decisions: State['decisions'] = A.by ? { [`payment ${A.by} A`]: 'yes' } : {};
    let after: State = {
      ...state,
      A,
      B: nothing,
      decisions,
      messages: [],
      restored: 'orders',
      isRefundedByHand: false,
    };
    for (const pix of ['e1', 'e2'] as const) {
      const refund = after.refunds[pix];
      if (refund?.step === 'done' && !has('refunds are told again after a restore'))
        after = setRefund(after, pix, null);
      const isSettled = after.receipts[pix].state === 'settled';
      if (isSettled && has('receipts are checked again after a restore'))
        after = note(after, pix, { state: 'settling' });
    }
    return after;
  });
}

/** Transfers is restored to before it knew of any Pix, with the code or to before the code. Nothing is under way. */
const transfersRestored = (state: State): State[] =>
  [state.hasCharge, false].map((hasCharge) => ({
    ...state,
    hasCharge,
    receipts: { e1: unknown, e2: unknown },
    refunds: { e1: null, e2: null },
    messages: [],
    restored: 'transfers',
  }));

/** Returns the states after each step of transfers for one Pix. */
function stepsOfTransfers(state: State, pix: PixId, has: Has): State[] {
  const receipt = state.receipts[pix];
  const next: State[] = [];
  const isThere = state.money[pix] !== 'none' || (!has('a hint is no proof') && state.hasCharge);
  if (receipt.state === 'unknown' && isThere && has('the sweep'))
    next.push(note(state, pix, { state: 'settling', named: state.hasCharge ? 'A' : null }));
  const returned = state.returned[pix];
  const isOwn = state.refunds[pix] !== null && returned?.n === state.refunds[pix]?.n;
  const isForeign = returned?.state === 'done' && !isOwn && receipt.state !== 'refunded' && receipt.state !== 'unknown';
  if (isForeign && !receipt.isReturned) next.push(note(state, pix, { isReturned: true }));
  if (receipt.state === 'settling') next.push(...settle(state, pix, has));
  const refund = state.refunds[pix];
  if (refund) next.push(...advance(state, { pix, refund, has }));
  return next;
}

type Steps = { machine: State[]; people: State[] };
/** Returns the states after each step that services, banks and late calls can take, and after each step of people and time. */
export function stepsFrom(state: State, scenario: PixScenario, has: Has): Steps {
  const machine = [
    ...scenario.pix.flatMap((pix) => [...stepsOfTransfers(state, pix, has), ...stepsOfBank(state, pix)]),
    ...state.messages.map((message) => deliver(state, message, has)),
  ];
  const pruned = (each: State): State => prune(each, has);
  return { machine: machine.map(pruned), people: stepsOfPeople(scenario, state, has).map(pruned) };
}

/**
 * Asks orders about the named payment. If that is refused, or there is none, asks which payment this Pix has paid. That question
 * changes nothing, and no other statement about this Pix is undecided meanwhile, so it is one step.
 */
function settle(state: State, pix: PixId, has: Has): State[] {
  const { named, pays } = state.receipts[pix];
  const failed = state.refunds[pix];
  if (failed) {
    const untold = tell(state, [aboutRefund('refund_failed', pix, { refund: failed, has })]);
    if (untold) return [untold];
    const over = setRefund(state, pix, null);
    if (!has('a failed refund asks orders again')) return [note(over, pix, { state: pays ? 'settled' : 'unmatched' })];
    return settle(over, pix, has);
  }
  const paid = paidBy(state, pix);
  const settled = note(state, pix, { state: 'settled', pays: paid });
  const unmatched = note(state, pix, { state: 'unmatched', pays: null });
  const isPaid = paid !== null && state[paid].status !== 'refunded' && has('what is refused is looked up by its id');
  const refused = isPaid ? settled : unmatched;
  const early = has('transfers waits for the decision of orders') ? [] : [unmatched];
  if (named === null) return [refused, ...early];
  const message = `payment ${pix} ${named}`;
  const answer = state.decisions[message];
  return [
    send(state, message),
    ...(answer === 'yes' ? [settled] : []),
    ...(answer === 'no' ? [refused] : []),
    ...early,
  ];
}

type Refunding = { pix: PixId; refund: Refund; has: Has };
const aboutRefund = (purpose: string, pix: PixId, { refund, has }: Omit<Refunding, 'pix'>): string =>
  `${purpose} ${pix} ${has('a refund has an id of its own') ? refund.n : 1}`;

/** Sends the first of these messages about which orders has not decided; null if there is none. */
function tell(state: State, messages: readonly string[]): State | null {
  const next = messages.find((message) => !state.decisions[message]);
  return next === undefined ? null : send(state, next);
}

/** A restored orders is told the payment before a refund goes on. */
function tellPaid(state: State, pix: PixId): State | null {
  const { named } = state.receipts[pix];
  return state.restored === 'orders' && named ? tell(state, [`payment ${pix} ${named}`]) : null;
}

function advance(state: State, { pix, refund, has }: Refunding): State[] {
  const to = (step: Refund['step']): State => setRefund(state, pix, { ...refund, step });
  const about = (purpose: string): string => aboutRefund(purpose, pix, { refund, has });
  const fail = (): State => note(to('failed'), pix, { state: 'settling' });
  const isToldAgain = has('refund_begun is told again before refunded');
  const ending = [...(isToldAgain ? [about('refund_begun')] : []), about('refunded')];
  if (refund.step === 'failed') return []; // the receipt is settled again
  if (refund.step === 'done') {
    const untold = state.restored === 'orders' ? (tellPaid(state, pix) ?? tell(state, ending)) : null;
    return untold ? [untold] : [];
  }
  const unpaid = tellPaid(state, pix);
  if (unpaid) return [unpaid];
  if (refund.step === 'stored') {
    if (!has('orders is told before money is returned')) return [to('told')];
    const answer = state.decisions[about('refund_begun')];
    return [
      send(state, about('refund_begun')),
      ...(answer === 'yes' ? [to('told')] : []),
      ...(answer === 'no' ? [fail()] : []),
    ];
  }
  const returned = state.returned[pix];
  if (refund.step === 'told') {
    if (state.receipts[pix].isReturned) return [to('back')];
    // The bank refuses to return money twice.
    if (returned && returned.state !== 'failed') return [fail()];
    return [{ ...to('sent'), returned: { ...state.returned, [pix]: { n: refund.n, state: 'processing' } } }];
  }
  if (refund.step === 'sent') {
    if (returned?.state === 'done') return [to('back')];
    return returned?.state === 'failed' ? [fail()] : [];
  }
  return [tell(state, ending) ?? done(state, pix, refund)];
}

const done = (state: State, pix: PixId, refund: Refund): State =>
  setRefund(note(state, pix, { state: 'refunded' }), pix, { ...refund, step: 'done' });

/** Leaves out messages that can no longer change anything, so that fewer states are visited. */
function prune(state: State, has: Has): State {
  if (!has('orders stores its decision about each statement') || !has('a refund has an id of its own')) return state;
  const messages = state.messages.filter((message) => !state.decisions[message]);
  return { ...state, messages };
}

/** Returns what is wrong in `state`; null if nothing is. `isLast`: only people, banks and time could still change it. */
function defectOf(state: State, isLast: boolean): string | null {
  for (const pix of ['e1', 'e2'] as const) {
    const receipt = state.receipts[pix];
    const paid = payments.filter((id) => state[id].by === pix && hasMoney.has(state[id].status));
    const [id] = paid;
    if (paid.length > 1) return `${pix} pays two payments`;
    if (id && state.money[pix] === 'none') return `${id} is paid without money`;
    if (id === 'A' && state.money[pix] === 'wrong') return 'A is paid with a wrong amount';
    const isBack = state.returned[pix]?.state === 'done';
    const isListed = receipt.isReturned && ['settled', 'unmatched', 'refunding'].includes(receipt.state);
    const isOwn = state.returned[pix]?.n === 'own';
    if (
      id &&
      state[id].status === 'paid' &&
      isBack &&
      !isOwn &&
      (!state.restored || isLast) &&
      !(state.restored && isListed)
    )
      return `${id} is paid, and its money was returned`;
    if (!isLast || state.money[pix] === 'none') continue;
    if (isBack && isListed) continue; // the list shows it, and a person decides
    // The refund that had begun is lost. The bill stays unsettled until a person gives the Pix back again.
    if (state.restored === 'transfers' && receipt.state === 'settled' && id && state[id].status === 'refunding')
      continue;
    if (!['settled', 'unmatched', 'refunded'].includes(receipt.state)) return `${pix} is nowhere: ${receipt.state}`;
    if (receipt.state === 'settled' && !(id && state[id].status === 'paid'))
      return `transfers says that ${pix} pays, orders says ${id ? state[id].status : 'nothing'}`;
    if (receipt.state === 'refunded' && id && state[id].status !== 'refunded')
      return `${pix} was returned, and orders says ${state[id].status}`;
    if (receipt.state === 'unmatched' && id && state[id].status !== 'refunded')
      return `${pix} is unmatched, and pays ${id}`;
    if (id && state[id].status === 'refunding') return 'refunding for ever';
  }
  return null;
}

/** Visits every state. Returns the number of states, and the first defect. */
export function explorePix(
  scenario: PixScenario,
  without: PixRule | null = null,
): { states: number; defect: string | null } {
  const has: Has = (rule) => rule !== without;
  const keyOf = (state: State): string => JSON.stringify(state);
  const seen = new Set([keyOf(first)]);
  const open = [first];
  for (let state = open.pop(); state; state = open.pop()) {
    const own = keyOf(state);
    const { machine, people } = stepsFrom(state, scenario, has);
    const isLast = machine.every((each) => keyOf(each) === own);
    const defect = defectOf(state, isLast);
    if (defect) return { states: seen.size, defect };
    for (const each of [...machine, ...people]) {
      const key = keyOf(each);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(each);
    }
  }
  return { states: seen.size, defect: null };
}
