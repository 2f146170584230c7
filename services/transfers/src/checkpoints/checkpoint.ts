import { hash } from 'node:crypto';
import { signStatement } from '../receipts/statement.ts';
import type { Signer } from '../receipts/statement.ts';

/** Where an account's chain stood. */
export type SignedHead = { account: number; seq: number; hash: string };
/** Heads that were signed together, each checkpoint chained to the one before it by the hash of its signature. */
export type Checkpoint = { number: number; at: Date; period: number; heads: readonly SignedHead[]; jws: string };

/** As many heads as one checkpoint has; where more have moved, several are made in a row. */
export const mostHeads = 10_000;

export const headsDigest = (heads: readonly SignedHead[]): string =>
  hash('sha256', JSON.stringify(heads.map(({ account, seq, hash: value }) => [account, seq, value])), 'base64url');
export const statementHash = (jws: string): string => hash('sha256', jws, 'base64url');

type Facts = { at: Date; period: number; heads: readonly SignedHead[] };

export function signCheckpoint({ at, period, heads }: Facts, before: Checkpoint | null, signer: Signer): Checkpoint {
  const number = (before?.number ?? 0) + 1;
  const payload = {
    number,
    at: at.toISOString(),
    heads: heads.length,
    digest: headsDigest(heads),
    previous: before && statementHash(before.jws),
  };
  return { number, at, period, heads, jws: signStatement(payload, 'checkpoint+jws', signer) };
}
