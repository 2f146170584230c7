import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { compileCacheDir } from '@comanda/testing/environment';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { until } from '@comanda/testing/until';
import { signStatement } from '@comanda/shared/crypto/statement';
import { startTransfersHarness, type TransfersHarness, type SignedInUser } from './support/harness.ts';
import { newCommand, openBooks } from './support/books.ts';
import { testConsentJwk } from './support/test-consents.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
type Ran = { code: number; out: string; err: string };
type Input = { args?: readonly string[]; env?: Record<string, string>; stdin?: string };

/** Runs the command behind `npm run <command> -- <args>` without npm. */
async function npmRun(command: string, { args = [], env = {}, stdin = '' }: Input): Promise<Ran> {
  const child = spawn(process.execPath, ['--conditions=source', 'scripts/operate.ts', command, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...env },
  });
  child.stdin.end(stdin);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out, err };
}
const lastLine = ({ err }: Ran): string => err.trim().split('\n').at(-1) ?? '';
const intact = { code: 0, out: expect.stringContaining('The ledger is intact') };

describe('verify-ledger', () => {
  let where: { uri: string; database: string };
  /** A server in place of auth-stepup. It serves only a key set. */
  const keySet = createServer((_req, res) => res.end(JSON.stringify({ keys: [testConsentJwk] })));
  let jwksUrl: string;
  beforeAll(async () => {
    const { mongodbUri: uri, database } = await isolatedServers('commands');
    where = { uri, database };
    keySet.listen(0, '127.0.0.1');
    await once(keySet, 'listening');
    jwksUrl = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/jwks.json`;
  });
  afterAll(async () => {
    keySet.closeAllConnections();
    await new Promise((resolve) => keySet.close(resolve));
  });

  /** Changes a new ledger with `tamper`, and runs the command on it. `firstRow`: the row named in the last line of the output. */
  async function verifyAfter(name: string, tamper: (ledger: SmallLedger) => Promise<unknown>) {
    const database = `${where.database}-${name}`;
    const ledger = await openSmallLedger({ ...where, database });
    await ledger.checkpoint();
    await tamper(ledger);
    await ledger.books.close();
    const env = {
      MONGODB_URI: where.uri,
      MONGODB_DATABASE: database,
      KEY_SEALING_SECRET: ledger.secret,
      JWKS_URL: jwksUrl,
    };
    const ran = await npmRun('verify-ledger', { env });
    return { ...ran, firstRow: /The first row: (.+)\.$/.exec(lastLine(ran))?.[1], ledger };
  }

  test('exits with 0 for an unchanged ledger', async () => {
    const ran = await verifyAfter('intact', () => Promise.resolve());

    expect(ran).toMatchObject(intact);
    expect(ran.out).toContain('Verified: transfers 6, accounts 3, checkpoints 1.');
    expect(ran.err).toContain('transfers: 6 of 6');
    expect(ran.err).toContain('accounts: 3 of 3');
  });

  test('reports that there is nothing to verify in an empty ledger', async () => {
    const { ledger: _ledger, ...ran } = await verifyAfter('emptied', async ({ books }) => {
      for (const name of ['transfers', 'accounts', 'checkpoints', 'keys', 'counters'])
        await books.connection.collection(name).deleteMany({});
    });

    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^There is nothing to verify: /);
    expect(ran.out).not.toContain('intact');
  });

  test('exits with 1 and names the transfer if its amount was edited', async () => {
    const { ledger, ...ran } = await verifyAfter('amount', ({ books, ids }) =>
      books.rows.updateOne({ _id: ids[1] }, { $set: { amount: 2000n } }),
    );

    expect(ran).toMatchObject({ code: 1, firstRow: `transfer ${ledger.ids[1]}` });
    expect(ran.out).toContain(`transfer ${ledger.ids[1]}: its entries have another amount`);
  });

  test('exits with 1 for data from a newer release without calling it tampering', async () => {
    const { ledger, ...ran } = await verifyAfter('newer', async ({ books, ids, ana, rui, checkpoint }) => {
      const ofNextRelease = { $set: { shape: 2, future_field: { any: 1 } } as never };
      await books.connection.collection('checkpoints').updateOne({}, ofNextRelease);
      await books.post([newCommand({ from: rui, to: ana, amountMinor: 5n })]);
      await checkpoint();
      await books.rows.updateOne({ _id: ids[1] }, ofNextRelease);
    });

    const row = `transfer ${ledger.ids[1]}`;
    const unverified = `Only verify-ledger of a newer release can verify the rows that it has written: 2, the first is ${row}.`;
    expect({ code: ran.code, lastLine: lastLine(ran) }).toEqual({
      code: 1,
      lastLine: `The ledger is not verified. ${unverified}`,
    });
    expect(ran.out).toContain(`${row}: it is newer than this program, which cannot verify it`);
  });
});

describe('on the data of running services', () => {
  let harness: TransfersHarness;
  let folder: string;
  let ana: SignedInUser;
  let receipt: string;
  let keySetUrl: string;
  let keySetFile: string;
  beforeAll(async () => {
    harness = await startTransfersHarness('commands-stack', { env: { CHECKPOINT_EVERY_S: '1' } });
    folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    ana = await harness.customer('Ana');
    const rui = await harness.customer('Rui');
    const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
    await harness.deposit(from, '20.00');
    receipt = (await harness.send(ana, { from, to, amount: '12.50' })).body.receipt;
    keySetUrl = `${harness.auth.url}/.well-known/jwks.json`;
    keySetFile = join(folder, 'jwks.json');
    const published = await until(
      async () => {
        const keySet = await (await fetch(keySetUrl)).text();
        return keySet.includes('"purpose":"receipts"') ? keySet : null;
      },
      { what: 'the keys of receipts', timeoutMs: 20_000 },
    );
    await writeFile(keySetFile, published);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await harness.close();
  });

  test.each([
    [
      'the secret',
      () => ({ env: { KEY_SEALING_SECRET: harness.env['KEY_SEALING_SECRET'] ?? '', JWKS_URL: keySetUrl } }),
    ],
    ['the public keys in a file', () => ({ args: ['--jwks', keySetFile] })],
  ])('verify-ledger with %s reports an intact ledger', async (_what, inputOf) => {
    const { args = [], env = {} }: Input = inputOf();
    const { mongodbUri, database } = harness.servers;

    const ran = await npmRun('verify-ledger', {
      args,
      env: { MONGODB_URI: mongodbUri, MONGODB_DATABASE: database, ...env },
    });

    expect(ran).toMatchObject(intact);
  });

  test.each([
    ['an argument, with keys from a URL', () => ({ args: [receipt, '--jwks', keySetUrl] })],
    ['standard input', () => ({ args: ['--jwks', keySetFile], stdin: `${receipt}\n` })],
  ])('verify-receipt prints a receipt from %s', async (_what, inputOf) => {
    const { code, out } = await npmRun('verify-receipt', inputOf());

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      amount: '12.50',
      currency: 'BRL',
      status: 'posted',
      jti: expect.any(String),
      pin_version: 1,
      entries: [{ seq: 2 }, { seq: 1 }],
      consent: { sub: String(ana.id), endpoint_key: 'internal_transfer.create', pin_version: 1 },
    });
  });

  test('verify-receipt rejects an authorization for another receipt', async () => {
    const { mongodbUri, database } = harness.servers;
    const books = await openBooks({ uri: mongodbUri, database, secret: harness.env['KEY_SEALING_SECRET'] ?? '' });
    const signer = books.signingKeys.signer();
    await books.close();
    const payload = decode(receipt.split('.')[1]);
    const consentOf = (jws: string) => decode(String(decode(jws.split('.')[1])['consent']).split('.')[1]);
    const bad = [
      signStatement({ ...payload, amount: '99.99', jti: 'another' }, 'receipt+jws', signer),
      signStatement(
        { ...payload, consent: signStatement(consentOf(receipt), 'consent+jws', signer) },
        'receipt+jws',
        signer,
      ),
    ];

    const ran = await Promise.all(
      bad.map((stdin) => npmRun('verify-receipt', { args: ['--jwks', keySetFile], stdin })),
    );

    const refused = 'This receipt does not prove the consent of the payer: its consent is';
    expect(ran.map((each) => [each.code, each.out, lastLine(each)])).toEqual([
      [1, '', `${refused} that of another step-up token.`],
      [1, '', `${refused} not signed by a trusted key.`],
    ]);
  });

  test("verify-ledger reports if it can't load the authorization keys", async () => {
    const { mongodbUri, database } = harness.servers;
    const url = `http://127.0.0.1:${await freePort()}/jwks.json`;
    const KEY_SEALING_SECRET = harness.env['KEY_SEALING_SECRET'] ?? '';

    const env = { MONGODB_URI: mongodbUri, MONGODB_DATABASE: database, KEY_SEALING_SECRET, JWKS_URL: url };
    const ran = await npmRun('verify-ledger', { env });

    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(lastLine(ran)).toContain(`${url} does not answer (ECONNREFUSED)`);
    const without = await npmRun('verify-ledger', { args: ['--without-consents'], env });
    expect([without.code, without.out]).toEqual([0, expect.stringContaining('Consents were not verified.')]);
  });

  test("commands get their keys from npm start's local gateway", async () => {
    const runFile = join(folder, 'run.json');
    await writeFile(runFile, JSON.stringify({ mongodb: { url: '' }, gateway: { url: harness.auth.url } }));

    const ran = await npmRun('verify-receipt', { args: [receipt], env: { COMANDA_DIR: folder } });

    await rm(runFile);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ amount: '12.50' });
  });

  test("unreadable keys cause exit code 1 and an error with the keys' URL", async () => {
    const url = `http://127.0.0.1:${await freePort()}/jwks.json`;

    const ran = await npmRun('verify-receipt', { args: [receipt, '--jwks', url] });

    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(lastLine(ran)).toContain(`${url} does not answer (ECONNREFUSED)`);
  });

  const decode = (part = ''): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    [
      'edited',
      () => {
        const [head, body, signature] = receipt.split('.');
        return `${head}.${encode({ ...decode(body), amount: '99.99' })}.${signature}`;
      },
    ],
    [
      'signed by another key',
      () => {
        const [head, body] = receipt.split('.');
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return signStatement(decode(body), 'receipt+jws', { kid: String(decode(head)['kid']), privateKey });
      },
    ],
    [
      'unsigned',
      () => {
        const [head, body] = receipt.split('.');
        return `${encode({ ...decode(head), alg: 'none' })}.${body}.`;
      },
    ],
    ['an access token', () => ana.token],
    ['other text', () => 'nonsense'],
    ['empty', () => ''],
  ])('verify-receipt exits with 1 if the receipt is %s', async (_what, badReceipt) => {
    const ran = await npmRun('verify-receipt', { args: ['--jwks', keySetFile], stdin: badReceipt() });

    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(lastLine(ran)).toBe(`This receipt was not signed by a key of ${keySetFile}.`);
  });
});
