import { headsDigest, statementHash } from '../checkpoints/checkpoint.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { readStatement } from '../receipts/statement.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { checkpointRow } from './finding.ts';
import type { Finding } from './finding.ts';

type With = {
  keys: PublicKeys;
  /** A checkpoint from the logs, as its signature: it must still be there. */
  known: string | undefined;
};

/** What is wrong with the checkpoints: each signed, chained to the one before, and none missing. */
export async function* checkCheckpoints(
  checkpoints: AsyncIterable<Checkpoint>,
  { keys, known }: With,
): AsyncGenerator<Finding> {
  let before: Checkpoint | null = null;
  let knownIsThere = known === undefined;
  for await (const checkpoint of checkpoints) {
    const what = wrongWith(checkpoint, before, keys);
    if (what) yield { row: checkpointRow(checkpoint.number), what };
    knownIsThere ||= checkpoint.jws === known;
    before = checkpoint;
  }
  if (knownIsThere) return;
  const number = readStatement(known ?? '', 'checkpoint+jws', keys)?.['number'];
  yield { row: checkpointRow(Number(number)), what: 'it was logged, and is not there' };
}

function wrongWith(checkpoint: Checkpoint, before: Checkpoint | null, keys: PublicKeys): string | null {
  const { number, heads, jws } = checkpoint;
  const expected = (before?.number ?? 0) + 1;
  if (number !== expected) return `checkpoint ${expected} is missing before it`;
  const said = readStatement(jws, 'checkpoint+jws', keys);
  if (!said) return 'it is not signed by a key of the house';
  if (said['number'] !== number) return 'it was signed as another one';
  if (said['digest'] !== headsDigest(heads) || said['heads'] !== heads.length)
    return 'its heads are not those it signed';
  if (said['previous'] !== (before && statementHash(before.jws))) return 'it does not follow from the one before it';
  return null;
}
