import { setImmediate } from 'node:timers/promises';
import { Problem, problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { retryOnConflict, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { allWhenSettled, isDuplicate, isUnknownCommit, type Transactions } from '@comanda/shared/mongo/transactions';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { applyBatch, signBatch, type SignedBatch } from './apply-batch.ts';
import { createRowIndex, identityOf, type DecidedRow, type Result, type Row } from './journal-row.ts';
import type { JournalStore } from './journal-store.ts';
import type { LedgerMetrics } from './ledger-metrics.ts';
import type { TransferCommand } from './transfer.ts';

/** A command's final result. `too_late`: its token expired before an attempt started, so nothing was written. */
export type Posting = Result | 'too_late';
export type PostingOutcome = Outcome<Posting>;
export type PostBatchDeps = {
  accounts: Pick<AccountStore, 'findAccountsById' | 'updateBalances'>;
  journal: Pick<JournalStore, 'findRows' | 'insertRows'>;
  transactions: Transactions;
  signer: () => Signer;
  clock: Clock;
  /** Publishes a committed transfer's events. It neither waits nor throws. */
  publishNow: (transferId: number, messages: readonly Message[]) => void;
  metrics: LedgerMetrics;
  /** Counts new rows. Called after each commit. */
  countRows: (rows: number) => void;
};
type Commands = readonly TransferCommand[];
/** The outcomes of commands, by transfer id. A command without an outcome is still open. */
type Outcomes = Map<number, PostingOutcome>;
/** The outcomes of one group of commands. `failure`: the error that left the other commands of the group without an outcome. */
type PostedGroup = { outcomes: Outcomes; failure?: unknown };

/** How long to repeat a commit with an unknown outcome, in milliseconds. After that, its commands fail. */
const commitTimeLimitMs = 1000;
/** The maximum number of attempts to post a group before it is halved. */
const maxAttempts = 4;
const attemptsTimeLimitMs = 2000;

/**
 * Posts `commands` in one transaction, and returns each command's outcome, in the order of `commands`. A group that can't be
 * committed is halved again and again, until the command that causes the failure is alone. So neither a bad command nor a locked
 * account delays the other commands for long.
 */
export async function postBatch(deps: PostBatchDeps, commands: Commands): Promise<PostingOutcome[]> {
  const endBatch = deps.metrics.startBatch();
  const outcomes: Outcomes = new Map();
  const groups: Commands[] = [commands];
  for (let group = groups.shift(); group; group = groups.shift()) {
    const posted = await postGroup(deps, group);
    for (const [id, outcome] of posted.outcomes) outcomes.set(id, outcome);
    const open = openOf(group, posted.outcomes);
    if (open.length > 1 && mayFailInPart(posted.failure)) groups.push(...halvesOf(open));
    else for (const { transferId } of open) outcomes.set(transferId, { error: posted.failure });
  }
  const inOrder = commands.map(
    ({ transferId }) => outcomes.get(transferId) ?? { error: new Error('a command has no outcome') },
  );
  endBatch(inOrder.map(nameOf));
  return inOrder;
}

function nameOf(outcome: PostingOutcome): string {
  if ('error' in outcome) return 'failed';
  if (outcome.value === 'too_late') return 'too_late';
  return outcome.value.replayed ? 'replayed' : outcome.value.row.status;
}

/**
 * Posts a group of commands in one transaction. If another write comes first, tries again. If a later attempt fails, the outcomes
 * found until then remain valid.
 */
async function postGroup(deps: PostBatchDeps, group: Commands): Promise<PostedGroup> {
  const deadline = performance.now() + attemptsTimeLimitMs;
  const outcomes: Outcomes = new Map();
  const attempt = async (): Promise<void> => {
    const nowMs = deps.clock();
    for (const { transferId, consent } of openOf(group, outcomes))
      if (consent.expiresAtMs <= nowMs) outcomes.set(transferId, { value: 'too_late' });
    const commands = openOf(group, outcomes);
    if (commands.length === 0) return;
    try {
      const { results, rows } = await commitGroup(deps, { commands, nowMs });
      deps.countRows(rows.length);
      for (const [id, result] of results) outcomes.set(id, toOutcome(result));
      for (const { row, messages } of rows) if (messages.length > 0) deps.publishNow(row.id, messages);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      for (const [id, result] of await findResults(deps, commands)) outcomes.set(id, toOutcome(result));
      throw new WriteConflict('the journal already has a row with one of these tokens or keys');
    }
  };
  try {
    await retryOnConflict({ deadline, maxAttempts, onConflict: deps.metrics.countConflict }, attempt);
    return { outcomes };
  } catch (failure) {
    return { outcomes, failure };
  }
}

/**
 * Loads the accounts, decides each command in turn, and commits the balances and rows. The rows are signed while the database
 * writes the balances.
 */
async function commitGroup(
  deps: PostBatchDeps,
  { commands, nowMs }: { commands: Commands; nowMs: number },
): Promise<SignedBatch> {
  const accountIds = [...new Set(commands.flatMap(({ fromId, toId }) => [fromId, toId]))];
  return deps.transactions.run({ deadline: performance.now() + commitTimeLimitMs }, async (session) => {
    const accounts = await deps.accounts.findAccountsById(accountIds, session);
    const applied = applyBatch(commands, accounts, new Date(nowMs));
    const [batch] = await allWhenSettled([
      setImmediate().then(() => signBatch(applied, deps.signer())), // starts signing after the update was sent
      deps.accounts.updateBalances(applied.changed, session),
    ]);
    await deps.journal.insertRows(batch.rows, session);
    return batch;
  });
}

/**
 * Returns the results of the commands for which the journal already has a row: by token, by idempotency key or by bill payment.
 */
async function findResults(deps: PostBatchDeps, commands: Commands): Promise<SignedBatch['results']> {
  const rows = await deps.journal.findRows(commands.map(identityOf));
  const index = createRowIndex();
  for (const row of rows) index.add(row);
  const results: SignedBatch['results'] = new Map();
  for (const command of commands) {
    // If the row has this command's id, an earlier attempt wrote it and got no confirmation of its commit.
    const own = rows.find((row): row is DecidedRow => row.status !== 'expired' && row.id === command.transferId);
    const result = own
      ? { row: own, replayed: false }
      : (index.findResult(identityOf(command)) ?? paidBefore(command, rows));
    if (result) results.set(command.transferId, result);
  }
  return results;
}

/**
 * Returns a problem if another token has already paid the bill's payment, or refunded it. The orders service prevents that,
 * unless its database was restored.
 */
function paidBefore({ kind, paymentId }: TransferCommand, rows: readonly Row[]): Problem | null {
  const isSame = (row: Row): boolean => row.status === 'posted' && row.kind === kind && row.paymentId === paymentId;
  if (paymentId === null || !rows.some(isSame)) return null;
  return problem('payment_not_payable', { payment_status: kind === 'bill_payment' ? 'paid' : 'refunded' });
}

const toOutcome = (result: Result | Problem): PostingOutcome =>
  result instanceof Problem ? { error: result } : { value: result };

const openOf = (group: Commands, outcomes: Outcomes): TransferCommand[] =>
  group.filter(({ transferId }) => !outcomes.has(transferId));

/**
 * Returns true if some of the group's commands may succeed without the others. Returns false if the outcome of a commit is
 * unknown, because another attempt might post a command twice, or if the database does not respond.
 */
function mayFailInPart(error: unknown): boolean {
  if (isUnknownCommit(error)) return false;
  return error instanceof Problem ? error.code === 'service_unavailable' : mongoProblem(error) === null;
}

function halvesOf(commands: Commands): Commands[] {
  const middle = Math.ceil(commands.length / 2);
  return [commands.slice(0, middle), commands.slice(middle)];
}
