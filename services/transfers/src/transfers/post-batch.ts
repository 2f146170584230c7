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

/** The final result. `too_late`: the token expired before an attempt started, and nothing was written. */
export type Posting = Result | 'too_late';
export type PostingOutcome = Outcome<Posting>;
export type PostBatchDeps = {
  accounts: Pick<AccountStore, 'findAccountsById' | 'updateBalances'>;
  journal: Pick<JournalStore, 'findRows' | 'insertRows'>;
  transactions: Transactions;
  signer: () => Signer;
  clock: Clock;
  /** Publishes the events of a transfer that was committed. Neither waits nor fails. */
  publishNow: (transferId: number, messages: readonly Message[]) => void;
  metrics: LedgerMetrics;
  /** Called after a commit. */
  countRows: (rows: number) => void;
};
type Commands = readonly TransferCommand[];
/** The outcomes of commands, by transfer id. A command without one is still open. */
type Outcomes = Map<number, PostingOutcome>;
/** The outcomes in one group of commands. `failure` is why the open ones could not be committed. */
type PostedGroup = { outcomes: Outcomes; failure?: unknown };

/** How long a commit is repeated while its outcome is unknown, in milliseconds. After that, its commands fail. */
const commitTimeLimitMs = 1000;
/** The number of attempts for one group of commands before it is halved. */
const maxAttempts = 4;
const attemptsTimeLimitMs = 2000;

/**
 * Posts `commands` in one transaction and returns the outcome of each, in their order. A group that cannot be committed
 * is halved until the command at fault, or the account that another transaction holds, is alone. So neither delays the
 * others.
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
 * Posts a group of commands in one transaction, and tries again while other writes come first. The outcomes that an attempt finds
 * stay, even if a later attempt fails.
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
 * Loads the accounts, decides each command in turn, and commits balances, rows, entries and events. The rows are signed while the
 * database writes the balances.
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
      setImmediate().then(() => signBatch(applied, deps.signer())), // in the next turn: by then the update is sent
      deps.accounts.updateBalances(applied.changed, session),
    ]);
    await deps.journal.insertRows(batch.rows, session);
    return batch;
  });
}

/** Returns the results of those commands whose token or key is already in the journal. */
async function findResults(deps: PostBatchDeps, commands: Commands): Promise<SignedBatch['results']> {
  const rows = await deps.journal.findRows(commands.map(identityOf));
  const index = createRowIndex();
  for (const row of rows) index.add(row);
  const results: SignedBatch['results'] = new Map();
  for (const command of commands) {
    // An earlier attempt, whose commit was not confirmed, wrote this row.
    const own = rows.find((row): row is DecidedRow => row.status !== 'expired' && row.id === command.transferId);
    const result = own
      ? { row: own, replayed: false }
      : (index.findResult(identityOf(command)) ?? paidBefore(command, rows));
    if (result) results.set(command.transferId, result);
  }
  return results;
}

/** Another token paid the bill's payment, or refunded it. orders allows only one, but its database may have been restored. */
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
 * Returns whether half of the group may succeed. If the database does not respond, or the outcome of a commit is unknown, the
 * whole group fails: another attempt might post it twice.
 */
function mayFailInPart(error: unknown): boolean {
  if (isUnknownCommit(error)) return false;
  return error instanceof Problem ? error.code === 'service_unavailable' : mongoProblem(error) === null;
}

function halvesOf(commands: Commands): Commands[] {
  const middle = Math.ceil(commands.length / 2);
  return [commands.slice(0, middle), commands.slice(middle)];
}
