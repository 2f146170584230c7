import { headsDigest, statementHash } from '../checkpoints/checkpoint.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { readStatement } from '../receipts/statement.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { checkpointRow } from './finding.ts';
import type { Finding } from './finding.ts';

type Options = {
  keys: PublicKeys;
  /** The signature of a checkpoint from the logs, which must exist in the database. */
  expectedJws: string | undefined;
};

/** The defects of the checkpoints: each must be signed and follow from the one before it, and none may be missing. */
export async function* checkCheckpoints(
  checkpoints: AsyncIterable<Checkpoint>,
  { keys, expectedJws }: Options,
): AsyncGenerator<Finding> {
  let previous: Checkpoint | null = null;
  let isExpectedFound = expectedJws === undefined;
  for await (const checkpoint of checkpoints) {
    const what = findDefect(checkpoint, previous, keys);
    if (what) yield { row: checkpointRow(checkpoint.number), what };
    isExpectedFound ||= checkpoint.jws === expectedJws;
    previous = checkpoint;
  }
  if (isExpectedFound) return;
  const number = readStatement(expectedJws ?? '', 'checkpoint+jws', keys)?.['number'];
  yield { row: checkpointRow(Number(number)), what: 'it is in the logs, but not in the database' };
}

function findDefect(checkpoint: Checkpoint, previous: Checkpoint | null, keys: PublicKeys): string | null {
  const { number, heads, jws } = checkpoint;
  const expectedNumber = (previous?.number ?? 0) + 1;
  if (number !== expectedNumber) return `checkpoint ${expectedNumber} is missing before it`;
  const payload = readStatement(jws, 'checkpoint+jws', keys);
  if (!payload) return 'it is not signed by a trusted key';
  if (payload['number'] !== number) return 'it was signed with another number';
  if (payload['digest'] !== headsDigest(heads) || payload['heads'] !== heads.length)
    return 'its heads are not those that were signed';
  if (payload['previous'] !== (previous && statementHash(previous.jws)))
    return 'it does not follow from the checkpoint before it';
  return null;
}
