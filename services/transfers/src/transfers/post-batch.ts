import { problem, Problem } from '@comanda/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { isConflict, isDuplicate, isUnknownCommit, jitter } from '@comanda/shared/mongo/transactions';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { NextId } from '../ids/id-store.ts';
import type { Signer } from '../receipts/statement.ts';
import { decideBatch } from './batch.ts';
import type { Batch } from './batch.ts';
import { createRowIndex, whoWishes } from './journal-row.ts';
import type { Final } from './journal-row.ts';
import type { JournalStore } from './journal-store.ts';
import type { Wish } from './transfer.ts';

/** The final answer, or that the token had ended before anything was begun. */
export type Posting = Final | 'too_late';
export type PostingOutcome = Outcome<Posting>;
export type PostBatchOptions = {
  journal: JournalStore;
  transactions: Transactions;
  nextId: NextId;
  signer: () => Signer;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** The period of checkpoints that a time is in. */
  periodOf: (now: number) => number;
  /** Told of each posted transfer once it is there for good. */
  onPosted: (transferId: number, messages: readonly Message[]) => void;
  onConflict: () => void;
};

/** A commit whose outcome is unknown is repeated for so long; past it the callers are told that nobody knows. */
const commitPatienceMs = 1000;
/** So often a group is tried before it is halved: what is at fault, or held by somebody else, is alone in the end. */
const tries = 4;

/**
 * Posts wishes in one transaction: reads the accounts, decides each in turn, moves the accounts by compare-and-set, and
 * appends the rows with their entries and events. Answers those that were decided before with that decision. A group
 * that cannot be committed is halved and halved again, so that one account held elsewhere does not hold up the others.
 */
export function createPostBatch(options: PostBatchOptions): (wishes: readonly Wish[]) => Promise<PostingOutcome[]> {
  const { journal, transactions, nextId, clock, onPosted, onConflict } = options;

  /** One transaction: what was committed, or why nothing was and another try may go through. */
  async function attempt(wishes: readonly Wish[], ids: ReadonlyMap<Wish, number>): Promise<Batch | Hindrance> {
    const now = clock();
    const stamp = { now: new Date(now), idOf: (wish: Wish) => ids.get(wish) as number, signer: options.signer() };
    const accountIds = [...new Set(wishes.flatMap(({ fromId, toId }) => [fromId, toId]))];
    let batch: Batch | Hindrance = 'conflict';
    try {
      await transactions.run({ deadline: performance.now() + commitPatienceMs }, async (session) => {
        const decided = decideBatch(wishes, await journal.accounts(accountIds, session), stamp);
        const moved = await journal.move(decided.moves, { session, period: options.periodOf(now) });
        if (!moved) return session.abortTransaction();
        await journal.append(decided.rows, session);
        batch = decided;
      });
      return batch;
    } catch (error) {
      if (isConflict(error)) return 'conflict';
      if (isDuplicate(error)) return 'duplicate';
      throw error;
    }
  }

  /** Without those whose token or key the journal has; they get their answer. */
  async function withoutKnown(wishes: readonly Wish[], outcomes: Outcomes): Promise<Wish[]> {
    const index = createRowIndex();
    for (const row of await journal.known(wishes.map(whoWishes))) index.add(row);
    return wishes.filter((wish) => {
      const answer = index.answer(whoWishes(wish));
      if (answer) outcomes.set(wish, toOutcome(answer));
      return answer === null;
    });
  }

  /** Tries `group`; returns what is still open, in the groups to be tried next. */
  async function settle(group: readonly Wish[], ids: ReadonlyMap<Wish, number>, outcomes: Outcomes): Promise<Wish[][]> {
    let open = [...group];
    for (let tried = 0; tried < tries; tried++) {
      open = inTime(open, clock(), outcomes);
      if (open.length === 0) return [];
      const batch = await attempt(open, ids);
      if (typeof batch === 'object') {
        finish(batch, outcomes);
        return [];
      }
      onConflict();
      if (batch === 'duplicate') open = await withoutKnown(open, outcomes);
      else await jitter();
    }
    return giveUp(open, busy(), outcomes);
  }
  function finish({ answers, rows }: Batch, outcomes: Outcomes): void {
    for (const [wish, answer] of answers) outcomes.set(wish, toOutcome(answer));
    for (const { row, messages } of rows) if (row.status === 'posted') onPosted(row.transfer.id, messages);
  }

  return async (wishes) => {
    const outcomes: Outcomes = new Map();
    const ids = new Map<Wish, number>();
    for (const wish of wishes) ids.set(wish, await nextId());
    const groups: Wish[][] = [[...wishes]];
    for (let group = groups.shift(); group; group = groups.shift()) {
      const tried = group;
      const open = await settle(tried, ids, outcomes).catch((error: unknown) => giveUp(tried, error, outcomes));
      groups.push(...open);
    }
    return wishes.map((wish) => outcomes.get(wish) ?? { error: new Error('a wish was not settled') });
  };
}

type Hindrance = 'conflict' | 'duplicate';
const busy = () => problem('service_unavailable', { detail: 'The account is busy.' }, { 'Retry-After': '1' });

type Outcomes = Map<Wish, PostingOutcome>;

const toOutcome = (answer: Final | Problem): PostingOutcome =>
  answer instanceof Problem ? { error: answer } : { value: answer };

/** Nothing is begun, nor tried again, once its token has ended. */
function inTime(wishes: readonly Wish[], now: number, outcomes: Outcomes): Wish[] {
  return wishes.filter((wish) => {
    const late = wish.consent.expiresAtMs <= now;
    if (late) outcomes.set(wish, { value: 'too_late' });
    return !late;
  });
}

/**
 * Halves what may be at fault in part only. Where the database is away, or nobody knows what it did, all of it fails:
 * another try might be a second one.
 */
function giveUp(tried: readonly Wish[], failure: unknown, outcomes: Outcomes): Wish[][] {
  const open = tried.filter((wish) => !outcomes.has(wish));
  const inPart = failure instanceof Problem ? failure.code === 'service_unavailable' : mongoProblem(failure) === null;
  if (open.length > 1 && inPart && !isUnknownCommit(failure)) {
    const middle = Math.ceil(open.length / 2);
    return [open.slice(0, middle), open.slice(middle)];
  }
  for (const wish of open) outcomes.set(wish, { error: failure });
  return [];
}
