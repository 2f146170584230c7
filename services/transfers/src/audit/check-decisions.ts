import { toClusterTime, type ClusterTime, type Timestamp } from '@comanda/shared/mongo/cluster-time';
import { commitMargin } from '../checkpoints/make-checkpoints.ts';
import { statementHash } from '@comanda/shared/crypto/statement';
import { transferRow, type Finding } from './finding.ts';
import type { RawDocument, RawElement } from './ledger-reader-store.ts';
import { shapeDefects } from './shape.ts';
import { decisionShape } from './stored-shapes.ts';

type RowId = number | string;
type Decision = { id: RowId; hash: string; written: ClusterTime };
type Input = {
  /** Journal rows for rejected requests and expired tokens, sorted by id. */
  rows: AsyncIterable<RawDocument>;
  /** The rows of this kind that checkpoints have signed, sorted by id. */
  signed: AsyncIterable<RawElement>;
  /** Checkpoints have signed everything that was committed before this time. */
  completeUntil: ClusterTime;
};

/**
 * Finds rejected and expired rows that are signed but missing or changed, and rows that should be signed but aren't. Reads each
 * of the two streams only once, at the same time.
 */
export async function* checkDecisions({ rows, signed, completeUntil }: Input): AsyncGenerator<Finding> {
  const signedRows = wellFormed(signed);
  let next = await signedRows.next();
  let isSigned = false;
  /**
   * Yields findings about signed rows up to and including `row`. If `row` is null, yields findings about all remaining signed
   * rows.
   */
  async function* compareUpTo(row: Decision | null): AsyncGenerator<Finding> {
    const isUpTo = ({ id }: Decision): boolean => row === null || compareIds(id, row.id) <= 0;
    isSigned = false;
    while (!next.done && isUpTo(next.value)) {
      const { id, hash, written } = next.value;
      next = await signedRows.next();
      if (id !== row?.id) yield { row: transferRow(id), what: 'a checkpoint signed it, but it does not exist' };
      else if (hash !== row.hash || written !== row.written)
        yield { row: transferRow(id), what: 'it is not the row that a checkpoint signed' };
      isSigned ||= id === row?.id;
    }
  }
  for await (const document of rows) {
    const row = toDecision({ id: document['_id'], hash: document['statement'], written: document['written'] });
    if (!row) continue; // checkRow has already reported its wrong shape
    row.hash = statementHash(row.hash);
    yield* compareUpTo(row);
    if (!isSigned && row.written < completeUntil - commitMargin)
      yield { row: transferRow(row.id), what: 'no checkpoint has signed it' };
  }
  yield* compareUpTo(null);
}

async function* wellFormed(elements: AsyncIterable<RawElement>): AsyncGenerator<Decision> {
  for await (const { element } of elements) {
    const decision = toDecision(element);
    if (decision) yield decision;
  }
}

function toDecision(value: unknown): Decision | null {
  if (shapeDefects(value, decisionShape).length > 0) return null;
  const { id, hash, written } = value as { id: RowId; hash: string; written: Timestamp };
  return { id, hash, written: toClusterTime(written) };
}

/** Compares ids in the order in which MongoDB sorts them: numbers first, then strings by their bytes. */
function compareIds(a: RowId, b: RowId): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
