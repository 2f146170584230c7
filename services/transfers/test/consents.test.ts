import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readStatement, signStatement } from '@comanda/shared/crypto/statement';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { ConsentedTransfer } from '../src/transfers/transfer.ts';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';
import { claimsOf, signTestConsent } from './support/test-consents.ts';

// This suite acts as an attacker who controls the transfers process. The attacker has the keys for receipts and checkpoints, but
// not the keys for authorizations.
let where: { uri: string; database: string };
let ledger: SmallLedger;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('consents');
  where = { uri, database };
});
let count = 0;
beforeEach(async () => {
  ledger = await openSmallLedger({ ...where, database: `${where.database}-${++count}` });
});
afterEach(() => ledger.books.close());

const findings = () => findingsOf({ connection: ledger.books.connection, keys: ledger.keys });

const command = () => newCommand({ from: ledger.ana, to: ledger.rui, amountMinor: 5n });
/** Posts a transfer with a genuine receipt, even if its authorization isn't valid. */
async function postWith(consent: Partial<ConsentedTransfer['consent']>, posted = command()): Promise<string> {
  const own = { ...posted, consent: { ...posted.consent, ...consent } };
  const [outcome] = await ledger.books.post([own]);
  if (!outcome || !('value' in outcome) || outcome.value === 'too_late') throw new Error('it was not posted');
  return `transfer ${outcome.value.row.id}`;
}
const withoutConsent = { jws: null as never };

test('a transfer whose authorization is for something else is reported', async () => {
  const changes: [object, string][] = [
    [{ sub: '4000000001' }, 'is that of another user'],
    [{ endpoint_key: 'account_deposit.create' }, 'is for another endpoint'],
    [{ jti: 'another' }, 'is that of another step-up token'],
    [{ pin_version: 2 }, 'is that of another version of the PIN'],
    [{ amount: '0.04' }, 'has another amount'],
    [{ to_account_id: 999 }, 'has another to_account_id'],
    [{ from_account_id: 999 }, 'has another from_account_id'],
    [{ currency: 'USD' }, 'has another currency'],
  ];
  const expected: string[] = [];
  for (const [change, what] of changes) {
    const posted = command();
    const claims = claimsOf({ ...posted, jti: posted.consent.jti });
    const [details] = claims.authorization_details;
    const isDetail = Object.hasOwn({ ...details }, Object.keys(change)[0] ?? '');
    const changed = isDetail ? { authorization_details: [{ ...details, ...change }] } : change;
    const row = await postWith({ jws: signTestConsent({ ...claims, ...changed }) }, posted);
    expected.push(`${row}: its consent ${what}`);
  }

  expect(await findings()).toEqual(expected);
});

test("an authorization for any payer isn't reported", async () => {
  for (const agreed of [[], ['from_account_id']]) {
    const posted = command();
    const {
      authorization_details: [details],
      ...claims
    } = claimsOf({ ...posted, jti: posted.consent.jti });
    const left = Object.fromEntries(Object.entries(details ?? {}).filter(([name]) => !agreed.includes(name)));
    const more = agreed.length > 0 ? { authorization_details: [left] } : {};
    await postWith({ jws: signTestConsent({ ...claims, ...more }) }, posted);
  }
  expect(await findings()).toEqual([]);
});

test('a transfer whose authorization is missing or has the wrong signature is reported', async () => {
  await ledger.checkpoint();
  const posted = command();
  const claims = claimsOf({ ...posted, jti: posted.consent.jti });
  const forged = await postWith({ jws: signStatement(claims, 'consent+jws', ledger.signer) }, posted);
  const without = await postWith(withoutConsent);
  await ledger.checkpoint();

  expect(await findings()).toEqual([
    `${forged}: its consent is not signed by a trusted key`,
    `${without}: it has no consent`,
  ]);
});

test('a transfer without an authorization is reported even before the first checkpoint', async () => {
  expect(await postWith(withoutConsent).then((row) => findings().then((found) => [found, row]))).toEqual([
    [expect.stringMatching(/^transfer \d+: it has no consent$/)],
    expect.any(String),
  ]);
});

test('a ledger from before there were authorizations remains valid', async () => {
  await postWith(withoutConsent);
  await ledger.checkpoint();
  await signAsBefore(1);
  await postWith(withoutConsent);
  await ledger.checkpoint();

  expect(await findings()).toEqual([]);
  const late = await postWith(withoutConsent);
  expect(await findings()).toEqual([`${late}: it has no consent`]);
  await ledger.checkpoint();
  await signAsBefore(3);
  expect(await findings()).toEqual([`${late}: it has no consent`]);
});

/** Signs a checkpoint as a release from before authorizations would sign it. */
async function signAsBefore(number: number): Promise<void> {
  const checkpoints = ledger.books.connection.collection<{ _id: number; jws: string }>('checkpoints');
  const { jws = '' } = (await checkpoints.findOne({ _id: number })) ?? {};
  const { consents: _consents, ...facts } = readStatement(jws, 'checkpoint+jws', ledger.keys) ?? {};
  await checkpoints.updateOne(
    { _id: number },
    { $set: { jws: signStatement(facts, 'checkpoint+jws', ledger.signer) } },
  );
}
