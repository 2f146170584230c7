import { isAsSigned, readCheckpoint } from '../checkpoints/checkpoint.ts';
import { toCheckpoint, type CheckpointDocument } from '../checkpoints/checkpoint-document.ts';
import { readStatement, statementHash, type PublicKeys } from '@comanda/shared/crypto/statement';
import { checkpointRow, type Finding } from './finding.ts';
import type { RawDocument } from './ledger-reader-store.ts';
import { isOfNewerRelease, shapeDefects } from './shape.ts';
import { checkpointShape } from './stored-shapes.ts';

type Options = {
  keys: PublicKeys;
  /** A checkpoint's signature from the logs. The database must contain this checkpoint. Undefined if none was given. */
  expectedJws: string | undefined;
};
type Previous = { number: number; jws: string } | null;

/** Finds defects in the checkpoints. Each must be signed and contain the hash of the one before it, and none may be missing. */
export async function* checkCheckpoints(
  documents: AsyncIterable<RawDocument>,
  { keys, expectedJws }: Options,
): AsyncGenerator<Finding> {
  let previous: Previous = null;
  let isExpectedFound = expectedJws === undefined;
  for await (const document of documents) {
    const row = checkpointRow(document['_id']);
    const defects = shapeDefects(document, checkpointShape);
    for (const what of defects) yield { row, what };
    isExpectedFound ||= document['jws'] === expectedJws;
    // A checkpoint from a newer release can't be checked, but a checkpoint from this release may follow it.
    if (isOfNewerRelease(document)) previous = { number: Number(document['_id']), jws: String(document['jws']) };
    if (defects.length > 0) continue;
    const { _id: number, ...rest } = document as CheckpointDocument;
    const what = findDefect({ _id: number, ...rest }, previous, keys);
    if (what) yield { row, what };
    previous = { number, jws: rest.jws };
  }
  if (isExpectedFound) return;
  const number = readStatement(expectedJws ?? '', 'checkpoint+jws', keys)?.['number'];
  yield { row: checkpointRow(Number(number)), what: 'it is in the logs, but not in the database' };
}

function findDefect(document: CheckpointDocument, previous: Previous, keys: PublicKeys): string | null {
  const checkpoint = toCheckpoint(document);
  const { number, jws } = checkpoint;
  const expectedNumber = (previous?.number ?? 0) + 1;
  if (number !== expectedNumber) return `checkpoint ${expectedNumber} is missing before it`;
  const facts = readCheckpoint(jws, keys);
  if (!facts) return 'it is not signed by a trusted key';
  if (facts.number !== number) return 'it was signed with another number';
  if (!isAsSigned(checkpoint, facts)) return 'its rows are not those that were signed';
  if (facts.previous !== (previous && statementHash(previous.jws)))
    return 'it does not follow from the checkpoint before it';
  return null;
}
