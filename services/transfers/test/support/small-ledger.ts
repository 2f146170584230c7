import { randomBytes } from 'node:crypto';
import { createSealer } from '@comanda/shared/crypto/seal';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createCheckpointStore } from '../../src/checkpoints/checkpoint-store.ts';
import { makeCheckpoints } from '../../src/checkpoints/make-checkpoints.ts';
import type { SignedHeads } from '../../src/checkpoints/signed-heads.ts';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { openBooks, newCommand, type Books } from './books.ts';

export type SmallLedger = Awaited<ReturnType<typeof openSmallLedger>>;

/** Opens a ledger in its own database. Ana and Rui start with 10.00 each, and Ana has sent Rui four transfers. */
export async function openSmallLedger(where: { uri: string; database: string }) {
  const secret = `test:${randomBytes(32).toString('base64')}`;
  const books = await openBooks({ ...where, secret });
  const store = createSigningKeyStore(books.connection, { sealer: createSealer(secret), logger: silentLogger });
  const signer = books.signingKeys.signer();
  const trusted = books.signingKeys.trusted();
  const [ana, rui] = [await books.funded(1000n), await books.funded(1000n)];
  const ids: number[] = [];
  for (const amountMinor of [10n, 20n, 30n, 40n])
    ids.push(await post(books, newCommand({ from: ana, to: rui, amountMinor })));
  return {
    books,
    secret,
    signer,
    store,
    keys: trusted,
    ana,
    rui,
    /** The ids of the four transfers. */
    ids: ids as [number, number, number, number],
    checkpoint: (now = new Date(), more: { signedHeads?: SignedHeads } = {}) =>
      makeCheckpoints(
        { accounts: books.accounts, journal: books.journal, checkpoints: createCheckpointStore(books.connection) },
        { signer, trusted, now, ...more },
      ),
    swap: async (one: number, other: number): Promise<void> => {
      const found = await books.rows
        .find({ _id: { $in: [one, other] } }, { useBigInt64: true })
        .sort({ _id: 1 })
        .toArray();
      const [first, second] = found;
      await books.rows.deleteMany({ _id: { $in: [one, other] } });
      await books.rows.insertMany([
        { ...first, _id: other },
        { ...second, _id: one },
      ]);
    },
  };
}

async function post(books: Books, wanted: ReturnType<typeof newCommand>): Promise<number> {
  const [outcome] = await books.post([wanted]);
  const final = outcome && 'value' in outcome ? outcome.value : 'too_late';
  if (final === 'too_late' || final.row.status !== 'posted') throw new Error('it was not posted');
  return final.row.id;
}
