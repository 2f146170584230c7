import type { ResponseOf } from '@comanda/contracts/endpoint';
import { listExceptions as contract } from '@comanda/contracts/exceptions';
import type { Call } from '@comanda/shared/http/api';
import { fromMinor } from '../money.ts';
import type { ExceptionStore } from './exception-store.ts';
import type { Exception } from './exception.ts';

type Rows = ResponseOf<typeof contract>;
/** `next` is the next page's cursor; null on the last page. */
export type ExceptionPage = { exceptions: Rows; next: number | null };

/** `GET /exceptions`: returns one page, newest first. */
export async function listExceptions(
  { exceptions }: { exceptions: Pick<ExceptionStore, 'listPage'> },
  { query }: Call<typeof contract>,
): Promise<ExceptionPage> {
  const { kind, by, since, limit = 50, cursor } = query;
  const withOneMore = await exceptions.listPage({
    kind,
    by,
    since: since === undefined ? undefined : new Date(since),
    below: cursor === undefined ? undefined : Number(cursor),
    limit: limit + 1,
  });
  const page = withOneMore.slice(0, limit).map(toExceptionRow);
  const last = page.at(-1);
  if (!last || withOneMore.length <= limit) return { exceptions: page, next: null };
  return { exceptions: page, next: last.id };
}

export const toExceptionRow = (exception: Exception): Rows[number] => ({
  id: exception.id,
  day: exception.day,
  at: exception.at.toISOString(),
  kind: exception.kind,
  bill_id: exception.billId,
  line_id: exception.lineId,
  name: exception.name,
  amount: fromMinor(exception.amountMinor),
  by: exception.by,
  reason: exception.reason,
});
