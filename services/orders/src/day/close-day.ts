import type { closeDay as contract, DayReport } from '@comanda/contracts/day';
import { problem, unavailable } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { requestFingerprint } from '@comanda/shared/http/request-fingerprint';
import type { Consent, Consume } from '@comanda/shared/http/step-up';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { UnitOfWork, Written } from '@comanda/shared/service/unit-of-work';
import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import { findStates, type CashDrawerStates } from '../cash-drawers/list-cash-drawers.ts';
import { closedFigures, openRemaining, type FiguresDeps } from '../reports/figures.ts';
import type { DayStart, StatisticsStore } from '../reports/statistics-store.ts';
import { idempotentRequestOf } from '../change-context.ts';
import { newMessage } from '../messages.ts';
import { toMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { AddedUp, AddUpBefore, AddUpDeps } from './add-up-before.ts';
import { addEntries, businessDateOf } from './day-entries.ts';
import { noPreviousHash, toDayReport } from './day-report.ts';
import type { DayStore } from './day-store.ts';
import { enterMissing } from './enter-missing.ts';
import { isLongLock } from './lock-limit.ts';
import { readEntries } from './read-entries.ts';
import type { RunningDay } from './running-day.ts';

/** Writes closed days with their event. */
export type DayWrites = UnitOfWork<never, 'days'>;
export type CloseDayDeps = CashDrawerStates &
  AddUpDeps &
  FiguresDeps & {
    addUpBefore: AddUpBefore;
    counters: Pick<CounterStore, 'startNextDay'>;
    days: Pick<DayStore, 'findByRequest' | 'insert'>;
    statistics: Pick<StatisticsStore, 'insert'>;
    dayWrites: Pick<DayWrites, 'run'>;
    consume: Consume;
    logger: Pick<Logger, 'info' | 'warn'>;
  };
type CloseCall = Call<typeof contract>;
type Closed = { report: DayReport; consent: Consent } | { report: DayReport; replayed: true };

/**
 * `POST /day/close`: closes the running day. The PIN is asked for after all checks, and the same checks are made again in the
 * transaction that writes the report.
 * @throws 409 `day_changed`, `day_not_closable`; 422 `idempotency_key_reused`; a `step_up_…` problem; 503 `service_unavailable`
 */
export async function closeDay(deps: CloseDayDeps, call: CloseCall): Promise<Closed> {
  // Read before the search: if the same request has already ended this day, its report is found.
  const day = await deps.counters.readDay();
  const earlier = await findEarlier(deps, call);
  if (earlier) return earlier;
  await assertClosable(deps, { call, day });
  const consent = await deps.consume(withFingerprint(call));
  const [open, before] = await Promise.all([openRemaining(deps), deps.addUpBefore(deps.dayWrites)]);
  const closed = await deps.dayWrites.run((session) => writeReport(deps, { call, consent, before, open, session }));
  if ('replayed' in closed) return closed;
  const { report } = closed;
  deps.logger.info({ day: report.number, hash: report.hash }, 'the day is closed');
  // Nobody waits for the figures. They are stored now, because items that get ready tomorrow don't belong in them.
  void closedFigures(deps, report.number).catch((error: unknown) => {
    deps.logger.warn({ err: error, day: report.number }, 'the figures of a closed day could not be stored yet');
  });
  return closed;
}

/** Returns what an earlier request with this key has closed; null if there was none. @throws 422 `idempotency_key_reused` */
async function findEarlier(
  { days }: Pick<CloseDayDeps, 'days'>,
  call: CloseCall,
  session?: Session,
): Promise<Extract<Closed, { replayed: true }> | null> {
  const request = idempotentRequestOf(call);
  const earlier = request && (await days.findByRequest(request.key, session));
  if (!earlier) return null;
  if (earlier.request?.fingerprint !== request.fingerprint) throw problem('idempotency_key_reused');
  return { report: earlier.report, replayed: true };
}

/**
 * Binds the token to this body even without an idempotency key. So the same request may be sent again after the token was spent.
 */
function withFingerprint(call: CloseCall): CloseCall {
  const { caller, route, body, idempotency } = call;
  const { method, path } = route;
  const fingerprint = requestFingerprint({ userId: caller.userId, method, path, key: '', body });
  return idempotency ? call : { ...call, idempotency: { key: '', fingerprint } };
}

type Checked = { call: CloseCall; day: Pick<RunningDay, 'number'>; session?: Session };
/** What the new report follows on: the report before and the open bills that are carried over. */
type Closable = { previous: DayReport | null; carriedOver: number[] };

/** Checks that this is the running day, its bills are closed or carried over, and its cash drawers are counted. */
async function assertClosable(deps: CloseDayDeps, { call: { body }, day, session }: Checked): Promise<Closable> {
  const { number } = day;
  const previous = number === 1 ? null : await deps.days.find(number - 1, session);
  const previousHash = previous?.hash ?? noPreviousHash;
  if (body.number !== number || body.previous_hash !== previousHash)
    throw problem('day_changed', { number, previous_hash: previousHash });
  const open = await deps.openBills.findWithLines(session);
  const named = body.carry_over === 'all' ? new Set(open) : new Set(body.carry_over);
  const left = open.filter((id) => !named.has(id));
  const moved = (await findStates(deps, session)).filter((each) => each.moved).map(({ name }) => name);
  if (left.length > 0 || moved.length > 0)
    throw problem('day_not_closable', { bills: left.slice(0, 100), bill_count: left.length, cash_drawers: moved });
  return { previous, carriedOver: open.filter((id) => named.has(id)) };
}

type Writing = { call: CloseCall; consent: Consent; before: AddedUp; open: DayStart['open']; session: Session };

async function writeReport(
  deps: CloseDayDeps,
  { call, consent, before, open, session }: Writing,
): Promise<Written<Closed, never, 'days'>> {
  const { body, caller, context } = call;
  const lockedAt = performance.now();
  const taken = await deps.counters.takeEntryIds(1, session);
  if (taken.number !== body.number) {
    // A retry may come while the first attempt still runs. It is committed, so that a majority has the report.
    const earlier = await findEarlier(deps, call, session);
    if (earlier) return { value: earlier, records: [], events: [] };
    await assertClosable(deps, { call, day: taken, session });
  }
  const closedAt = new Date(deps.clock());
  const marks = await enterMissing(deps, { found: before.missing, day: taken, now: closedAt, session });
  const { previous, carriedOver } = await assertClosable(deps, { call, day: taken, session });
  const mainFrom = (await deps.counts.findOldest(mainCashDrawer, session))?.id ?? null;
  // Its first count has come in between, so other movements are in the sums. The next request adds them up.
  if (mainFrom !== before.mainFrom) throw tooLate();
  const since = readEntries(deps, { day: taken.number, after: before.upTo, session });
  const entries = await addEntries(before.entries, since, { clock: deps.restaurantClock, mainFrom });
  const refunded = await deps.dayBills.findRefundedAfterClosing(entries.refunded, session);
  const report = toDayReport({
    day: taken,
    businessDate: businessDateOf(entries.dates, closedAt.getTime(), deps.restaurantClock),
    closedAt,
    closedBy: { id: caller.userId, name: caller.name },
    note: body.note ?? null,
    sales: await deps.dayBills.sumSales(taken.number, session),
    entries,
    refundedAfterClosingMinor: refunded.reduce((sum, { payment }) => sum + payment.amountMinor, 0),
    unsettled: {
      beforeMinor: previous ? toMinor(previous.unsettled.after) : taken.marks.unsettledMinor,
      afterMinor: await deps.dayBills.sumUnsettled(session),
    },
    countsBefore: before.countsBefore,
    carriedOver,
    consent: consent.jws,
    previousHash: body.previous_hash,
  });
  const { number, business_date, hash } = report;
  const data = { number, business_date, hash };
  const message = newMessage('day.closed', {
    subject: String(number),
    at: closedAt,
    traceparent: context.traceparent,
    data,
  });
  await deps.days.insert({ report, request: idempotentRequestOf(call) }, { message, session });
  const next = {
    number: number + 1,
    openedAt: closedAt,
    billNumber: taken.last.billNumber,
    orderId: taken.last.orderId,
    marks,
  };
  const orders = { after: taken.orderIdBefore, upTo: taken.last.orderId };
  await deps.statistics.insert(number, { open, orders }, session);
  await deps.counters.startNextDay(next, session);
  if (isLongLock('closing', lockedAt)) throw tooLate();
  const events = [{ outbox: 'days', documentId: number, messages: [message] }] as const;
  return { value: { report, consent }, records: [], events };
}

const tooLate = () => unavailable({ detail: 'The day could not be closed in time. Repeat the request in a second.' });
