import { kindsOfPairs, type addMovement as contract, type KindByHand } from '@comanda/contracts/cash-drawers';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { idempotentRequestOf } from '../change-context.ts';
import { toMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { CashDrawerStore } from './cash-drawer-store.ts';
import { isActive, retiredDrawer, unknownDrawer, type CashDrawers } from './cash-drawer.ts';
import type { CountStore } from './count-store.ts';
import type { MovementStore } from './movement-store.ts';
import { movementsByHand, type Movement, type NewMovement } from './movement.ts';
import type { CashWrites } from './put-cash-drawer.ts';

export type AddMovementDeps = {
  cashDrawers: Pick<CashDrawerStore, 'findStatuses'>;
  movements: Pick<MovementStore, 'find' | 'findByRequest' | 'insert' | 'isReversed'>;
  counts: Pick<CountStore, 'findNewest'>;
  counters: Pick<CounterStore, 'takeEntryIds'>;
  cashWrites: Pick<CashWrites, 'runLocked'>;
  clock: Clock;
};
type AddCall = Call<typeof contract>;
type Added = { movements: Movement[]; replayed: boolean };

/**
 * `POST /cash-drawers/{name}/movements`: enters cash that moved, or reverses such a movement.
 * @throws 404 `not_found`; 409 `movement_not_reversible`; 422 `unprocessable_content`, `idempotency_key_reused`
 */
export async function addMovement(deps: AddMovementDeps, call: AddCall): Promise<Added> {
  const { body } = call;
  if (body.other !== undefined && body.kind !== undefined && !kindsOfPairs.includes(body.kind))
    throw problem('validation_failed', {
      errors: [{ pointer: '/other', detail: `is for ${kindsOfPairs.join(' and ')} only` }],
    });
  const request = idempotentRequestOf(call);
  return deps.cashWrites.runLocked<Added>('cash drawers', async (session) => {
    const earlier = request && (await findEarlier(deps, request));
    if (earlier) return { value: { movements: earlier, replayed: true }, unchanged: true };
    const { number: day, last } = await deps.counters.takeEntryIds(2, session);
    const cashDrawers = await deps.cashDrawers.findStatuses(session);
    if (!cashDrawers.has(call.params.name)) throw problem('not_found');
    const added =
      body.reverses === undefined
        ? byHand(call, { cashDrawers, request, now: new Date(deps.clock()) })
        : await opposites(deps, { call, id: body.reverses, cashDrawers, day, request, session });
    const movements = await deps.movements.insert(added, { idBefore: last.entryId, day, session });
    return { value: { movements, replayed: false }, records: [], events: [] };
  });
}

/** Returns what an earlier request with this key has entered; null if there was none. @throws 422 `idempotency_key_reused` */
async function findEarlier(
  { movements }: Pick<AddMovementDeps, 'movements'>,
  { key, fingerprint }: IdempotentRequest,
): Promise<Movement[] | null> {
  const earlier = await movements.findByRequest(key);
  if (earlier.length === 0) return null;
  if (earlier[0]?.request?.fingerprint !== fingerprint) throw problem('idempotency_key_reused');
  return earlier;
}

type Entering = { cashDrawers: CashDrawers; request: IdempotentRequest | null; now: Date };

function byHand({ params: { name }, body, caller }: AddCall, { cashDrawers, request, now }: Entering): NewMovement[] {
  const { kind, amount = '0', other = null, reason } = body as { kind: KindByHand } & AddCall['body'];
  if (!isActive(cashDrawers, name)) throw retiredDrawer();
  if (other !== null && (other === name || !isActive(cashDrawers, other))) throw unknownDrawer('/other');
  const by = { id: caller.userId, name: caller.name };
  return movementsByHand({
    at: now,
    kind,
    cashDrawer: name,
    other,
    amountMinor: toMinor(amount),
    by,
    reason,
    request,
  });
}

type Reversing = Omit<Entering, 'now'> & { call: AddCall; id: number; day: number; session: Session };

/** Returns the opposites of a movement by hand and of its pair. The request may name the cash drawer of either. */
async function opposites(
  deps: AddMovementDeps,
  { call, id, cashDrawers, day, request, session }: Reversing,
): Promise<NewMovement[]> {
  const { params, body, caller } = call;
  const named = await deps.movements.find(id, session);
  if (!named || ![named.cashDrawer, named.other].includes(params.name)) throw problem('not_found');
  const both = [named, ...(named.other === null ? [] : await pairOf(deps.movements, named, session))];
  if (both.some(({ cashDrawer }) => cashDrawer !== null && !isActive(cashDrawers, cashDrawer))) throw retiredDrawer();
  for (const each of both)
    if (!(await isReversible(deps, { movement: each, day, session }))) throw problem('movement_not_reversible');
  const by = { id: caller.userId, name: caller.name };
  return both.map(({ id: reverses, day: _day, ...movement }, index) => ({
    ...movement,
    at: new Date(deps.clock()),
    amountMinor: 0 - movement.amountMinor,
    by,
    reason: body.reason,
    reverses,
    request: index === 0 ? request : null,
  }));
}

/** Both movements of a pair have consecutive ids. The first one is in the cash drawer that entered it. */
async function pairOf(
  movements: Pick<MovementStore, 'find'>,
  { id, kind, amountMinor }: Movement,
  session: Session,
): Promise<Movement[]> {
  const isFirst = kind === 'float' ? amountMinor > 0 : amountMinor < 0;
  const pair = await movements.find(isFirst ? id + 1 : id - 1, session);
  return pair ? [pair] : [];
}

async function isReversible(
  { movements, counts }: Pick<AddMovementDeps, 'movements' | 'counts'>,
  { movement, day, session }: { movement: Movement; day: number; session: Session },
): Promise<boolean> {
  const { id, kind, cashDrawer, isOfCount, reverses } = movement;
  const isByHand = kind !== 'payment' && kind !== 'refund' && kind !== 'difference' && !isOfCount;
  if (!isByHand || reverses !== null || movement.day !== day || cashDrawer === null) return false;
  const last = await counts.findNewest(cashDrawer, { session });
  return (last?.id ?? 0) < id && !(await movements.isReversed(id, session));
}
