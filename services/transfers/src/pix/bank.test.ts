import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { makeAuthority, makeClientCertificate, makeServerCertificate } from '@comanda/local-stack/certificates';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createBankConnection } from './bank-connection.ts';
import { createBank, type Bank, type PixListQuery, type PixPage } from './bank.ts';
import { pixSettings, readBankSettings } from './pix-settings.ts';
import { randomTxid } from './charge.ts';

let fake: FakeBank;
const open: Bank[] = [];
beforeAll(async () => {
  fake = await startFakeBank();
});
afterEach(() => fake.setFault(null));
afterAll(async () => {
  for (const bank of open) bank.close();
  await fake.close();
});

function connect(env: Record<string, string> = {}, clock: () => number = Date.now): Bank {
  const config = { ...loadConfig(pixSettings, { ...fake.settings, ...env }), currency: 'BRL' };
  const settings = readBankSettings(config, { isProduction: false });
  if (!settings) throw new Error('there is no bank');
  const bank = createBank(createBankConnection(settings, clock));
  open.push(bank);
  return bank;
}
const key = (): string => fake.settings['PIX_KEY'] ?? '';
const put = async (bank: Bank, amount = '10.00') => {
  const txid = randomTxid('bank');
  return { txid, charge: await bank.putCharge({ txid, amount, key: key(), seconds: 600 }) };
};
const tokensAsked = (): number => fake.requests.filter((each) => each === 'POST /oauth/token').length;

describe('calls to the bank', () => {
  test('create a charge, and find it and its Pix', async () => {
    const bank = connect();

    const { txid, charge } = await put(bank, '110.00');
    expect(charge).toMatchObject({ status: 'ATIVA', amount: '110.00', code: expect.any(String) });
    expect(await bank.getCharge(txid)).toEqual(charge);
    expect(await bank.getCharge(randomTxid('bank'))).toBeNull();
    const e2e = fake.pay({ txid, note: 'a\u0007b'.repeat(100) });
    expect(await bank.getPix(e2e)).toEqual({
      endToEndId: e2e,
      txid,
      amountMinor: 11_000n,
      key: key(),
      receivedAt: expect.any(Date),
      note: 'a b'.repeat(47).slice(0, 140),
      returns: [],
    });
    expect(await bank.getPix(`E${'0'.repeat(31)}`)).toBeNull();
  });

  test.each([{}, { PIX_BANK_TOKEN_AUTH: 'form' }])(
    'ask for one token, and for a new one after a 401: %j',
    async (env) => {
      const bank = connect(env);
      const before = tokensAsked();
      await Promise.all([put(bank), put(bank), put(bank)]);
      expect(tokensAsked() - before).toBe(1);

      fake.endTokens();

      expect((await put(bank)).charge).toMatchObject({ status: 'ATIVA' });
      expect(tokensAsked() - before).toBe(2);
    },
  );

  test('get a new token a minute before its end', async () => {
    let now = Date.now();
    const bank = connect({}, () => now);
    await put(bank);
    const before = tokensAsked();
    now += 3539_000;
    await put(bank);
    expect(tokensAsked()).toBe(before);

    now += 2000;
    await put(bank);

    expect(tokensAsked()).toBe(before + 1);
  });

  test("follow the API's clock, not that of the server for tokens", async () => {
    const aheadMs = 3600_000;
    const tokens = createServer((req, res) => {
      const headers = { authorization: req.headers.authorization ?? '' };
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      void fetch(`${fake.url}/oauth/token`, { method: 'POST', headers, body })
        .then((response) => response.text())
        .then((text) => text.replace('3600', '0')) // so that each call gets a new token
        .then((text) => res.writeHead(200, { date: new Date(Date.now() + aheadMs).toUTCString() }).end(text));
    }).listen(0, '127.0.0.1');
    await once(tokens, 'listening');
    const bank = connect({ PIX_BANK_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}` });

    await bank.open();
    const first = bank.now() - Date.now();
    await bank.getCharge(randomTxid('bank'));
    await bank.open();
    const then = bank.now() - Date.now();

    tokens.close();
    expect(first).toBeGreaterThan(aheadMs / 2);
    expect(Math.abs(then)).toBeLessThan(5000);
  });

  test('list all pages of a period, and nothing if the bank leaves out the list', async () => {
    const bank = connect();
    const at = Date.parse('2020-01-02T12:00:00Z');
    const ids = Array.from({ length: 101 }, (_, index) => fake.pay({ amount: '1.00', at: at + index }));
    const period = { from: new Date(at), to: new Date(at + 1000), hasReturns: false };

    const list = async (query: PixListQuery): Promise<PixPage> => {
      const listed = await bank.listPix(query);
      if ('refusedWith' in listed) throw new Error(`the bank refused with ${listed.refusedWith}`);
      return listed;
    };
    const pages = [await list({ ...period, page: 0 }), await list({ ...period, page: 1 })];

    expect(pages.map(({ pix, pages: count }) => [pix.length, count])).toEqual([
      [100, 2],
      [1, 2],
    ]);
    expect(new Set(pages.flatMap(({ pix }) => pix.map(({ endToEndId }) => endToEndId)))).toEqual(new Set(ids));
    const empty = { from: new Date(at - 2000), to: new Date(at - 1000), page: 0, hasReturns: false };
    expect((await list(empty)).pix).toEqual([]);
    fake.returnByItself(ids[0] ?? '');
    expect((await list({ ...period, page: 0, hasReturns: true })).pix).toHaveLength(1);
  });

  test('say how long the bank wants to be left alone', async () => {
    const bank = connect();
    await put(bank);
    fake.setFault(() => ({ status: 429, retryAfter: 7 }));

    await expect(put(bank)).rejects.toMatchObject({ name: 'BankUnavailable', retryAfterMs: 7000 });
    await expect(put(connect())).rejects.toMatchObject({ retryAfterMs: 7000 }); // when asked for a token
    expect(bank.isUp()).toBe(false);
    fake.setFault(() => ({ status: 503, retryAfter: new Date(Date.now() + 60_000) }));
    const failure = (await put(bank).catch((error: unknown) => error)) as { retryAfterMs: number };
    expect(Math.round(failure.retryAfterMs / 10_000)).toBe(6);
    fake.setFault(null);
    await put(bank);
    expect(bank.isUp()).toBe(true);
  });

  test('end after 1.2 s if the bank hangs, and reject more than wait already', async () => {
    const bank = connect();
    await put(bank);
    fake.setFault(() => 'hang');
    const startedAt = performance.now();

    const all = await Promise.allSettled(Array.from({ length: 41 }, () => bank.getPix(`E${'0'.repeat(31)}`)));

    const tookMs = performance.now() - startedAt;
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(String((all.at(-1) as PromiseRejectedResult).reason)).toContain('too many calls');
    expect(tookMs).toBeLessThan(2500);
  });

  test('return money, and say with which status the bank refuses', async () => {
    const bank = connect();
    const e2e = fake.pay({ amount: '5.00' });

    expect(await bank.getReturn(e2e, 'R1')).toBeNull();
    expect(await bank.putReturn(e2e, { id: 'R1', amountMinor: 500n })).toMatchObject({ status: 'EM_PROCESSAMENTO' });
    expect(await bank.getReturn(e2e, 'R1')).toMatchObject({ id: 'R1', amountMinor: 500n, status: 'DEVOLVIDO' });
    expect(await bank.putReturn(e2e, { id: 'R2', amountMinor: 1n })).toEqual({ refusedWith: 400 });
  });

  test('send a query in the address with each call', async () => {
    const bank = connect({ PIX_BANK_URL: `${fake.url}/v2?gw-app-key=abc` });

    expect((await put(bank)).charge).toMatchObject({ status: 'ATIVA' });
    expect(fake.queries.at(-1)).toContain('gw-app-key=abc');
  });

  test('show a certificate, and only trust a bank whose authority is known', async () => {
    const [ours, theirs] = [await makeAuthority('Bank'), await makeAuthority('Clients')];
    const server = await makeServerCertificate(['127.0.0.1'], ours);
    const client = await makeClientCertificate('comanda', theirs);
    const strict = await startFakeBank({ tls: { ...server, ca: theirs.cert } });
    const proof = { PIX_BANK_CERT: client.cert, PIX_BANK_CERT_KEY: client.key };

    const [known, unproven, untrusting] = [
      connect({ ...strict.settings, ...proof, PIX_BANK_CA: ours.cert }),
      connect({ ...strict.settings, PIX_BANK_CA: ours.cert }),
      connect({ ...strict.settings, ...proof }),
    ];

    expect((await put(known)).charge).toMatchObject({ status: 'ATIVA' });
    await expect(put(unproven)).rejects.toThrow('the bank did not answer');
    await expect(put(untrusting)).rejects.toThrow('the bank did not answer');
    await strict.close();
  });
});
