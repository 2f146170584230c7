import { hash } from 'node:crypto';
import { signStatement } from '../receipts/statement.ts';
import type { Signer } from '../receipts/statement.ts';

/** The newest entry of an account when it was signed. */
export type SignedHead = { account: number; seq: number; hash: string };
/** Heads that were signed together. Each checkpoint includes the hash of the signature before it. */
export type Checkpoint = { number: number; at: Date; period: number; heads: readonly SignedHead[]; jws: string };

/** Heads of one checkpoint. If more accounts have changed, several checkpoints are made. */
export const maxHeads = 10_000;

export const headsDigest = (heads: readonly SignedHead[]): string =>
  hash('sha256', JSON.stringify(heads.map(({ account, seq, hash: value }) => [account, seq, value])), 'base64url');
export const statementHash = (jws: string): string => hash('sha256', jws, 'base64url');

type Facts = { at: Date; period: number; heads: readonly SignedHead[] };

export function signCheckpoint({ at, period, heads }: Facts, previous: Checkpoint | null, signer: Signer): Checkpoint {
  const number = (previous?.number ?? 0) + 1;
  const payload = {
    number,
    at: at.toISOString(),
    heads: heads.length,
    digest: headsDigest(heads),
    previous: previous && statementHash(previous.jws),
  };
  return { number, at, period, heads, jws: signStatement(payload, 'checkpoint+jws', signer) };
}
