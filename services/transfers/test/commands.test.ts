import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { until } from '@comanda/testing/until';
import { signReceipt } from '../src/receipts/receipt.ts';
import { signStatement } from '../src/receipts/statement.ts';
import { startTransfersHarness } from './support/harness.ts';
import type { TransfersHarness, SignedInUser } from './support/harness.ts';
import { rewrite } from './support/rewrite.ts';
import { openSmallLedger } from './support/small-ledger.ts';
import type { SmallLedger } from './support/small-ledger.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
type Ran = { code: number; out: string; err: string };
type Given = { args?: readonly string[]; env?: Record<string, string>; stdin?: string };

/** What `npm run <command> -- <args>` does. */
async function npmRun(command: string, { args = [], env = {}, stdin = '' }: Given): Promise<Ran> {
  const child = spawn(process.execPath, ['--conditions=source', 'scripts/operate.ts', command, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  });
  child.stdin.end(stdin);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out, err };
}
const lastLine = ({ err }: Ran): string => err.trim().split('\n').at(-1) ?? '';

describe('verify-ledger', () => {
  let where: { uri: string; database: string };
  beforeAll(async () => {
    const { mongodbUri: uri, database } = await isolatedServers('commands');
    where = { uri, database };
  });

  /** Does `tamper` to a ledger of its own and runs the command on it. */
  async function ranOn(name: string, tamper: (ledger: SmallLedger) => Promise<unknown>) {
    const database = `${where.database}-${name}`;
    const ledger = await openSmallLedger({ ...where, database });
    await ledger.checkpoint();
    await tamper(ledger);
    await ledger.books.close();
    const env = { MONGODB_URI: where.uri, MONGODB_DATABASE: database, KEY_SEALING_SECRET: ledger.secret };
    return { ledger, ran: await npmRun('verify-ledger', { env }) };
  }
  const names = async (name: string, tamper: (ledger: SmallLedger) => Promise<unknown>) => {
    const { ledger, ran } = await ranOn(name, tamper);
    const [, first] = /The first row: (.+)\.$/.exec(lastLine(ran)) ?? [];
    return { ...ledger, code: ran.code, first, out: ran.out };
  };

  test('when nobody touched the ledger, then it says so, with progress, and ends with 0', async () => {
    const { ran } = await ranOn('whole', () => Promise.resolve());
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('The ledger is whole') });
    expect(ran.err).toContain('transfers: 6 of 6');
    expect(ran.err).toContain('accounts: 3 of 3');
  });

  test('when one amount was edited, then that transfer is named and it ends with 1', async () => {
    const edited = await names('amount', ({ books, ids }) =>
      books.rows.updateOne({ _id: ids[1] }, { $set: { amount: 2000n } }),
    );
    expect(edited).toMatchObject({ code: 1, first: `transfer ${edited.ids[1]}` });
    expect(edited.out).toContain(`transfer ${edited.ids[1]}: its entries are of another amount than it says`);
  });

  test('when one balance was edited, then that account is named and it ends with 1', async () => {
    const edited = await names('balance', ({ books, rui }) =>
      books.heads.updateOne({ _id: rui.id }, { $inc: { balance: 1_000_000n } }),
    );
    expect(edited).toMatchObject({ code: 1, first: `account ${edited.rui.id}` });
  });

  test('when two rows have changed places, then the first of them is named and it ends with 1', async () => {
    const swapped = await names('order', ({ swap, ids }) => swap(ids[1], ids[2]));
    expect(swapped).toMatchObject({ code: 1, first: `transfer ${swapped.ids[1]}` });
  });

  test('when the newest row was deleted, then the account that lacks it is named and it ends with 1', async () => {
    const deleted = await names('newest', ({ books, ids }) => books.rows.deleteOne({ _id: ids[3] }));
    expect(deleted).toMatchObject({ code: 1, first: `account ${deleted.ana.id}` });
    expect(deleted.out).toContain('its newest entry, 5, is missing');
  });

  test('when everything was written anew with right hashes, even by the house itself, then the first row is named and it ends with 1', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const byThief = await names('thief', ({ books, signer: { kid } }) =>
      rewrite(books, (transfer) => signReceipt(transfer, { kid, privateKey })),
    );
    expect(byThief.code).toBe(1);
    // The deposits come before the transfers.
    expect(Number(/^transfer (\d+)$/.exec(byThief.first ?? '')?.[1])).toBeLessThan(byThief.ids[0]);
    const byHouse = await names('insider', ({ books, signer }) =>
      rewrite(books, (transfer) => signReceipt(transfer, signer)),
    );
    expect(byHouse.code).toBe(1);
    expect(byHouse.out).toContain('is not the one that a checkpoint signed');
  });
});

describe('a running house', () => {
  let harness: TransfersHarness;
  let folder: string;
  let ana: SignedInUser;
  let receipt: string;
  let keySet: string;
  beforeAll(async () => {
    harness = await startTransfersHarness('commands-house', { env: { CHECKPOINT_EVERY_S: '1' } });
    folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    ana = await harness.customer('Ana');
    const rui = await harness.customer('Rui');
    const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
    await harness.deposit(from, '20.00');
    receipt = (await harness.send(ana, { from, to, amount: '12.50' })).body.receipt;
    // What the house publishes is what a stranger keeps.
    keySet = join(folder, 'jwks.json');
    const published = await until(
      async () => {
        const set = await (await fetch(`${harness.auth.url}/.well-known/jwks.json`)).text();
        return set.includes('"purpose":"receipts"') ? set : null;
      },
      { what: 'the keys of receipts', timeoutMs: 20_000 },
    );
    await writeFile(keySet, published);
  }, 60_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await harness.close();
  });

  test('when its ledger is verified, with its secret or with its public keys alone, then it is whole', async () => {
    const { servers, env, auth } = harness;
    const ofDatabase = { MONGODB_URI: servers.mongodbUri, MONGODB_DATABASE: servers.database };
    const whole = { code: 0, out: expect.stringContaining('The ledger is whole') };
    const secret = { KEY_SEALING_SECRET: env['KEY_SEALING_SECRET'] ?? '' };
    expect(await npmRun('verify-ledger', { env: { ...ofDatabase, ...secret } })).toMatchObject(whole);
    for (const jwks of [keySet, `${auth.url}/.well-known/jwks.json`])
      expect(await npmRun('verify-ledger', { args: ['--jwks', jwks], env: ofDatabase })).toMatchObject(whole);
  });

  test('when a receipt is verified, offline or by the house’s address, as an argument or from a pipe, then it is shown', async () => {
    const address = `${harness.auth.url}/.well-known/jwks.json`;
    const ways: Given[] = [
      { args: [receipt, '--jwks', keySet] },
      { args: [receipt, '--jwks', address] },
      { args: ['--jwks', keySet], stdin: `${receipt}\n` },
    ];
    for (const way of ways) {
      const { code, out } = await npmRun('verify-receipt', way);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        amount: '12.50',
        currency: 'BRL',
        status: 'posted',
        jti: expect.any(String),
        pin_version: 1,
        entries: [{ seq: 2 }, { seq: 1 }],
      });
    }
  });

  test('when a receipt was changed, signed by somebody else, or is something else, then it ends with 1 and shows nothing', async () => {
    const [head = '', body = '', signature = ''] = receipt.split('.');
    const said = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const more = Buffer.from(JSON.stringify({ ...said, amount: '99.99' })).toString('base64url');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = signStatement(said, 'receipt+jws', { kid, privateKey });
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid, typ: 'receipt+jws' })).toString('base64url');
    for (const bad of [`${head}.${more}.${signature}`, forged, `${none}.${body}.`, ana.token, 'nonsense', '']) {
      const ran = await npmRun('verify-receipt', { args: ['--jwks', keySet], stdin: bad });
      expect([ran.code, ran.out, lastLine(ran)]).toEqual([1, '', `This receipt was not signed by a key of ${keySet}.`]);
    }
  }, 60_000);
});
