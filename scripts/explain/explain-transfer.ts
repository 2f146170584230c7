import { amountOfMinor } from '@comanda/contracts/bill-preview';
import type { Db } from 'mongodb';
import type {
  AccountDocument,
  AttemptDocument,
  BillDocument,
  EntryDocument,
  JournalDocument,
  SecurityEventDocument,
} from './documents.ts';
import { at, claimsOf, describeOutbox, headerOf, type Part } from './page.ts';
import type { People } from './people.ts';
import type { Stores } from './stores.ts';

/** All that the databases of the services know of a transfer, also one that was refused; null if there is none. */
export async function explainTransfer(stores: Stores, id: number): Promise<Part[] | null> {
  const { transfers, people } = stores;
  const row = await transfers.collection<JournalDocument>('transfers').findOne({ _id: id }, { useBigInt64: true });
  if (!row) return null;
  const { status, user_id: userId, created_at: decidedAt } = row;
  const lines = [
    status === 'posted' ? describeMove(row) : `refused: ${String(row.code)}; nothing has moved`,
    `decided ${at(decidedAt)}, asked for by ${await people.describe(userId)}${row.idempotency_key === undefined ? '' : ', with an idempotency key'}`,
    ...(row.description ? [`description: ${people.quote(row.description)}`] : []),
  ];
  return [
    { title: `Transfer ${id}`, lines },
    { title: 'Ledger', lines: await describeEntries(stores, row) },
    { title: 'Consent', lines: [...(await describeToken(stores, row)), ...describeConsent(row)] },
    { title: 'Receipt', lines: describeReceipt(row) },
    { title: 'Payment of a bill', lines: await describePaid(stores, row) },
    { title: 'Events of the transfer', lines: status === 'posted' ? describeOutbox(row.outbox) : [] },
    {
      title: 'Not verified here',
      lines: ['signatures and hashes: npm run verify-ledger verifies all rows, npm run verify-receipt one receipt'],
    },
  ];
}

const money = (minor: bigint | undefined, currency: string | undefined): string =>
  `${amountOfMinor(minor ?? 0n)} ${currency ?? ''}`;
const describeMove = ({ kind, amount, currency, from_account: from, to_account: to }: JournalDocument): string =>
  `posted, ${String(kind)}, ${money(amount, currency)} from account ${from} to account ${to}`;

/** Each entry, who owns its account, and whether it continues the entry before it. */
const describeEntries = (
  { transfers, people }: Stores,
  { entries = [], currency }: JournalDocument,
): Promise<string[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const account = await transfers
        .collection<AccountDocument>('accounts')
        .findOne({ _id: entry.account }, { projection: { owner_id: 1, purpose: 1 } });
      const owner = account ? await describeOwner(account, people) : 'an account that is NOT THERE';
      return [
        `account ${entry.account} of ${owner}: entry ${entry.seq}`,
        `${money(entry.amount, currency)}, balance ${money(entry.balance, currency)}`,
        await describeChain(transfers, entry),
      ].join(', ');
    }),
  );

function describeOwner({ owner_id: ownerId, purpose }: AccountDocument, people: People): Promise<string> | string {
  if (purpose === 'takings') return "the restaurant's takings";
  return ownerId === null ? "the restaurant's cash" : people.describe(ownerId);
}

async function describeChain(transfers: Db, { account, seq, prev }: EntryDocument): Promise<string> {
  if (seq === 1) return 'the first of this account';
  const before = { account, seq: seq - 1 };
  const filter = { status: 'posted' as const, entries: { $elemMatch: before } };
  const row = await transfers.collection<JournalDocument>('transfers').findOne(filter, { useBigInt64: true });
  const earlier = row?.entries?.find((each) => each.account === account && each.seq === before.seq);
  return earlier?.hash === prev ? `continues entry ${before.seq}` : `DOES NOT CONTINUE entry ${before.seq}`;
}

/** When its step-up token was issued and spent, as the user's list of security events says. */
async function describeToken({ auth }: Stores, { user_id: userId, jti, pin_version: version }: JournalDocument) {
  const events = await auth
    .collection<SecurityEventDocument>('security_events')
    .find({ user_id: userId, jti }, { projection: { type: 1, time: 1 } })
    .sort({ time: 1 })
    .toArray();
  const known = events.map(({ type, time }) => `${type} ${at(time)}`);
  return [
    `step-up token ${jti}, version ${version} of the PIN`,
    ...(known.length > 0 ? known : ['auth-stepup has no event of this token (it keeps them for 180 days)']),
  ];
}

function describeConsent({ consent, status }: JournalDocument): string[] {
  if (consent === undefined) return status === 'posted' ? ['NO signed consent: of before consents were signed'] : [];
  const { iat, endpoint_key: endpoint, authorization_details: details } = claimsOf(consent);
  const signedAt = typeof iat === 'number' ? at(new Date(iat * 1000)) : 'at an unknown time';
  return [`signed ${signedAt} for ${String(endpoint)}: ${details ? JSON.stringify(details) : 'any such request'}`];
}

function describeReceipt({ receipt }: JournalDocument): string[] {
  if (receipt === undefined) return [];
  const { kid } = headerOf(receipt);
  return [`signed with the key ${String(kid)}`];
}

/** What orders knows of the payment that this transfer paid or gave back. */
async function describePaid({ orders, transfers }: Stores, { payment_id: paymentId, kind }: JournalDocument) {
  if (paymentId === undefined) return [];
  const id = paymentId;
  const [bill, attempt] = await Promise.all([
    orders.collection<BillDocument>('bills').findOne({ 'payments.id': id }),
    transfers.collection<AttemptDocument>('bill_payment_attempts').findOne({ payment_id: id }),
  ]);
  const { _id: billId, status, payments = [] } = bill ?? {};
  const payment = payments.find((each) => each.id === id);
  return [
    payment
      ? `payment ${id} of bill ${billId}: ${payment.status}; the bill is ${status}`
      : `payment ${id} (${String(kind)}) is NOT in the bills of orders`,
    ...(attempt
      ? [`UNFINISHED: orders has not confirmed its end; it is told again from ${at(attempt.next_at)} on`]
      : []),
  ];
}
