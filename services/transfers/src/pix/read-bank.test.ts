import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createBankConnection } from './bank-connection.ts';
import { createBank } from './bank.ts';
import { pixSettings, readBankSettings } from './pix-settings.ts';
import { readNewPix, type ReadBankDeps } from './read-bank.ts';

let fake: FakeBank;
beforeAll(async () => {
  fake = await startFakeBank({ hasPages: false });
});
afterAll(() => fake.close());

test('a period counts as read only if the bank has shown all pages of it', async () => {
  for (let count = 0; count < 101; count++) fake.pay({ amount: '1.00', at: Date.now() - 60_000 });
  const config = { ...loadConfig(pixSettings, fake.settings), currency: 'BRL' };
  const settings = readBankSettings(config, { isProduction: false });
  if (!settings) throw new Error('there is no bank');
  const bank = createBank(createBankConnection(settings, Date.now));
  const read: Date[] = [];
  const deps = {
    bank,
    marks: { findRead: () => Promise.resolve(null), setRead: async (until: Date) => void read.push(until) },
    receipts: { findAll: () => Promise.resolve(new Map()), insert: () => Promise.resolve(false) },
    charges: { findByTxids: () => Promise.resolve([]) },
    pixKey: fake.settings['PIX_KEY'],
    clock: Date.now,
  } as unknown as ReadBankDeps;

  await expect(readNewPix(deps)).rejects.toThrow('the bank repeats a page');

  bank.close();
  expect(read).toEqual([]);
});
