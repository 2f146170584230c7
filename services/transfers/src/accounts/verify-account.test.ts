import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createLogger } from '@comanda/shared/runtime/logger';
import { toAccountDocument } from './account-document.ts';
import { newAccount, signAccount } from './account.ts';
import { createAccountVerifier } from './verify-account.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = { kid: 'k', privateKey };
const facts = { name: null, ownerId: 7, ownerName: 'Ana', currency: 'BRL', createdAt: new Date(0) } as const;
const documentOf = (id: number) => {
  const account = newAccount({ ...facts, id });
  return toAccountDocument(account, signAccount(account, signer));
};
const document = documentOf(1);

function openVerifier() {
  const lines: string[] = [];
  let [verified, defects] = [0, 0];
  const trusted = () => {
    verified++;
    return new Map([[signer.kid, createPublicKey(privateKey)]]);
  };
  const logger = createLogger({ service: 'transfers', level: 'error' }, { write: (line) => void lines.push(line) });
  const countDefect = (): void => void defects++;
  const verify = createAccountVerifier({ trusted, logger, countDefect });
  return { verify, lines, verified: () => verified, defects: () => defects };
}

test("an account's signature is verified only once", () => {
  const { verify, verified, lines } = openVerifier();

  const read = [verify(document), verify({ ...document, balance: 5n, seq: 1, hash: 'h' })];

  expect(read.map(({ id, ownerId, balanceMinor }) => [id, ownerId, balanceMinor])).toEqual([
    [1, 7, 0n],
    [1, 7, 5n],
  ]);
  expect([verified(), lines]).toEqual([1, []]);
});

test.each([
  ['name', 'Rui'],
  ['owner_id', 8],
  ['owner_id', null],
  ['owner_name', 'Rui'],
  ['currency', 'USD'],
  ['created_at', new Date(1)],
  ['created_at', 'yesterday'],
  ['statement', documentOf(2).statement],
  ['statement', 5],
  ['balance', 5],
  ['seq', '5'],
  ['hash', null],
])(
  'changing %s to %s causes a 503, an error in the log and a counted defect, even after a genuine read',
  (field, value) => {
    const { verify, lines, defects } = openVerifier();
    const changed = { ...document, [field]: value } as never;
    const attempt = () => verify(changed);

    expect(attempt).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
    verify(document);
    expect(attempt).toThrow(expect.objectContaining({ code: 'service_unavailable' }));

    expect(defects()).toBe(2);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', account: 1 }),
      expect.objectContaining({ level: 'error', account: 1 }),
    ]);
  },
);
