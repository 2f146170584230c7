import { hash } from 'node:crypto';
import type { ClusterTime } from '@comanda/shared/mongo/cluster-time';
import {
  readStatement,
  signStatement,
  statementHash,
  type PublicKeys,
  type Signer,
} from '@comanda/shared/crypto/statement';

/** An account's newest entry when a checkpoint signed it. `seq` is 0 for an account without entries. */
export type SignedHead = { account: number; seq: number; hash: string; written: ClusterTime };
/** The row of a rejected request or an expired token, with the hash of its signed statement. */
type SignedDecision = { id: number | string; hash: string; written: ClusterTime };
export type SignedRow = { head: SignedHead } | { decision: SignedDecision };
/** The rows that were signed together. The signature also covers the hash of the previous checkpoint's signature. */
export type Checkpoint = {
  number: number;
  heads: readonly SignedHead[];
  decisions: readonly SignedDecision[];
  jws: string;
};
/** The facts that a checkpoint's signature covers. */
export type CheckpointFacts = {
  number: number;
  at: string;
  /** This checkpoint and the earlier ones have signed everything that was committed before this time. */
  completeUntil: ClusterTime;
  /** The time at which the rows were read. */
  readUntil: ClusterTime;
  rows: number;
  digest: string;
  previous: string | null;
  /**
   * True if every transfer posted after this checkpoint has an authorization; false in checkpoints from before authorizations
   * were signed.
   */
  consents: boolean;
};

/** The maximum number of rows in a checkpoint. If there are more, several checkpoints are created. */
export const maxRows = 10_000;

const rowsDigest = ({ heads, decisions }: Pick<Checkpoint, 'heads' | 'decisions'>): string =>
  hash(
    'sha256',
    JSON.stringify([
      heads.map(({ account, seq, hash: value, written }) => [account, seq, value, String(written)]),
      decisions.map(({ id, hash: value, written }) => [id, value, String(written)]),
    ]),
    'base64url',
  );

type Input = {
  rows: readonly SignedRow[];
  at: Date;
  completeUntil: ClusterTime;
  readUntil: ClusterTime;
  number: number;
  previous: string | null;
};

export function signCheckpoint({ rows, at, completeUntil, readUntil, number, previous }: Input, signer: Signer) {
  const heads = rows.flatMap((row) => ('head' in row ? row.head : []));
  const decisions = rows.flatMap((row) => ('decision' in row ? row.decision : []));
  const payload = {
    number,
    at: at.toISOString(),
    complete_until: String(completeUntil),
    read_until: String(readUntil),
    rows: rows.length,
    digest: rowsDigest({ heads, decisions }),
    previous: previous === null ? null : statementHash(previous),
    consents: true,
  };
  return { number, heads, decisions, jws: signStatement(payload, 'checkpoint+jws', signer) } satisfies Checkpoint;
}

/** Returns the facts in a checkpoint's signature; null if none of `keys` has signed it. */
export function readCheckpoint(jws: string, keys: PublicKeys): CheckpointFacts | null {
  const payload = readStatement(jws, 'checkpoint+jws', keys);
  if (!payload) return null;
  const { complete_until: completeUntil, read_until: readUntil, ...rest } = payload;
  return {
    ...(rest as Pick<CheckpointFacts, 'number' | 'at' | 'rows' | 'digest' | 'previous'>),
    consents: rest['consents'] === true,
    completeUntil: BigInt(String(completeUntil)),
    readUntil: BigInt(String(readUntil)),
  };
}

/** Returns true if the rows in `checkpoint` are the rows whose digest was signed in `facts`. */
export const isAsSigned = (checkpoint: Checkpoint, { digest, rows }: CheckpointFacts): boolean =>
  rowsDigest(checkpoint) === digest && checkpoint.heads.length + checkpoint.decisions.length === rows;
