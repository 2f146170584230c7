import { setImmediate } from 'node:timers/promises';
import { Problem, problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { retryOnConflict, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { allWhenSettled, isDuplicate, isUnknownCommit, type Transactions } from '@comanda/shared/mongo/transactions';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountStore } from '../accounts/account-store.ts';
import type { NextId } from '../ids/id-store.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { applyBatch, signBatch, type SignedBatch } from './apply-batch.ts';
import { createRowIndex, identityOf, type Answer, type DecidedRow, type Row } from './journal-row.ts';
import type { JournalStore } from './journal-store.ts';
import type { LedgerMetrics } from './ledger-metrics.ts';
import type { TransferCommand } from './transfer.ts';

/** The final answer; or `too_late`: the token expired before an attempt began, and nothing was written. */
export type Posting = Answer | 'too_late';
export type PostingOutcome = Outcome<Posting>;
export type PostBatchDeps = {
  accounts: Pick<AccountStore, 'findAccountsById' | 'updateBalances'>;
  journal: Pick<JournalStore, 'findRows' | 'insertRows'>;
  transactions: Transactions;
  nextId: NextId;
  /** The id of each command: it keeps it when it is tried again, also in another batch. */
  ids: Ids;
  signer: () => Signer;
  clock: Clock;
  /** Publishes the events of a transfer that was committed. Neither waits nor fails. */
  publishNow: (transferId: number, messages: readonly Message[]) => void;
  metrics: LedgerMetrics;
  /** Called after a commit. */
  countRows: (rows: number) => void;
};
type Ids = {
  get: (command: TransferCommand) => number | undefined;
  set: (command: TransferCommand, id: number) => unknown;
};
type Outcomes = Map<TransferCommand, PostingOutcome>;

/** How long a commit is repeated while its outcome is unknown. Then the callers are answered `outcome: "unknown"`. */
const commitTimeLimitMs = 1000;
/** Attempts of one group of commands before it is halved. */
const maxAttempts = 4;
const attemptsTimeLimitMs = 2000;

/**
 * Posts `commands` in one transaction and returns the outcome of each, in their order. A group that cannot be committed
 * is halved until the command at fault, or the account that another transaction holds, is alone: it does not delay the
 * others.
 */
export async function postBatch(deps: PostBatchDeps, commands: readonly TransferCommand[]): Promise<PostingOutcome[]> {
  const endBatch = deps.metrics.startBatch();
  for (const command of commands) if (deps.ids.get(command) === undefined) deps.ids.set(command, await deps.nextId());
  const outcomes: Outcomes = new Map();
  const groups: (readonly TransferCommand[])[] = [commands];
  for (let group = groups.shift(); group; group = groups.shift()) {
    try {
      await postGroup(deps, { group, outcomes });
    } catch (error) {
      const open = openOf(group, outcomes);
      if (open.length > 1 && mayFailInPart(error)) groups.push(...halvesOf(open));
      else for (const command of open) outcomes.set(command, { error });
    }
  }
  const inOrder = commands.map((command) => outcomes.get(command) ?? { error: new Error('a command has no outcome') });
  endBatch(inOrder.map(nameOf));
  return inOrder;
}

function nameOf(outcome: PostingOutcome): string {
  if ('error' in outcome) return 'failed';
  if (outcome.value === 'too_late') return 'too_late';
  return outcome.value.replayed ? 'replayed' : outcome.value.row.status;
}

/** Sets the outcome of each command of `group`. @throws what prevented the commit; commands without an outcome are open */
async function postGroup(
  deps: PostBatchDeps,
  { group, outcomes }: { group: readonly TransferCommand[]; outcomes: Outcomes },
): Promise<void> {
  const deadline = performance.now() + attemptsTimeLimitMs;
  await retryOnConflict({ deadline, maxAttempts, onConflict: deps.metrics.countConflict }, async () => {
    const nowMs = deps.clock();
    for (const command of openOf(group, outcomes))
      if (command.consent.expiresAtMs <= nowMs) outcomes.set(command, { value: 'too_late' });
    const open = openOf(group, outcomes);
    if (open.length === 0) return;
    try {
      const { answers, rows } = await commitGroup(deps, { commands: open, nowMs });
      deps.countRows(rows.length);
      for (const [command, answer] of answers) outcomes.set(command, toOutcome(answer));
      for (const { row, messages } of rows) if (messages.length > 0) deps.publishNow(row.id, messages);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      for (const [command, answer] of await findAnswers(deps, open)) outcomes.set(command, answer);
      throw new WriteConflict('the journal already has a row with one of these tokens or keys');
    }
  });
}

/**
 * One attempt: loads the accounts, decides each command in turn, and commits balances, rows, entries and events. The rows
 * are signed while the database writes the balances.
 */
async function commitGroup(
  deps: PostBatchDeps,
  { commands, nowMs }: { commands: readonly TransferCommand[]; nowMs: number },
): Promise<SignedBatch> {
  const stamp = { now: new Date(nowMs), ids: deps.ids };
  const accountIds = [...new Set(commands.flatMap(({ fromId, toId }) => [fromId, toId]))];
  return deps.transactions.run({ deadline: performance.now() + commitTimeLimitMs }, async (session) => {
    const accounts = await deps.accounts.findAccountsById(accountIds, session);
    const applied = applyBatch(commands, accounts, stamp);
    const [batch] = await allWhenSettled([
      setImmediate().then(() => signBatch(applied, deps.signer())), // in the next turn: by then the update is sent
      deps.accounts.updateBalances(applied.changed, session),
    ]);
    await deps.journal.insertRows(batch.rows, session);
    return batch;
  });
}

/** The answers of those commands whose token or key is already in the journal. */
async function findAnswers(deps: PostBatchDeps, commands: readonly TransferCommand[]): Promise<Outcomes> {
  const rows = await deps.journal.findRows(commands.map(identityOf));
  const index = createRowIndex();
  for (const row of rows) index.add(row);
  const found: Outcomes = new Map();
  for (const command of commands) {
    // An earlier attempt whose commit was not confirmed has written it.
    const own = rows.find((row): row is DecidedRow => row.status !== 'expired' && row.id === deps.ids.get(command));
    const answer = own
      ? { row: own, replayed: false }
      : (index.findAnswer(identityOf(command)) ?? paidBefore(command, rows));
    if (answer) found.set(command, toOutcome(answer));
  }
  return found;
}

/** Another token has paid the payment of a bill, or given it back: orders would admit none, but may have been restored. */
function paidBefore({ kind, paymentId }: TransferCommand, rows: readonly Row[]): Problem | null {
  const isSame = (row: Row): boolean => row.status === 'posted' && row.kind === kind && row.paymentId === paymentId;
  if (paymentId === null || !rows.some(isSame)) return null;
  return problem('payment_not_payable', { payment_status: kind === 'bill_payment' ? 'paid' : 'refunded' });
}

const toOutcome = (answer: Answer | Problem): PostingOutcome =>
  answer instanceof Problem ? { error: answer } : { value: answer };

const openOf = (group: readonly TransferCommand[], outcomes: Outcomes): TransferCommand[] =>
  group.filter((command) => !outcomes.has(command));

/**
 * Whether a half of the group may go through. If the database does not answer, or the outcome of a commit is unknown, all
 * of the group fails: another attempt might post it twice.
 */
function mayFailInPart(error: unknown): boolean {
  if (isUnknownCommit(error)) return false;
  return error instanceof Problem ? error.code === 'service_unavailable' : mongoProblem(error) === null;
}

function halvesOf(commands: readonly TransferCommand[]): TransferCommand[][] {
  const middle = Math.ceil(commands.length / 2);
  return [commands.slice(0, middle), commands.slice(middle)];
}
