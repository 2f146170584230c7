import type * as contract from '@comanda/contracts/pix';
import type { PixReceipt as ReceiptResponse, PixReceiptState } from '@comanda/contracts/pix';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { toReceiptResponse } from './pix-receipt.ts';
import type { ReceiptStore } from './receipt-store.ts';

/** `next` is the next page's cursor; null on the last page. */
type Page = { receipts: ReceiptResponse[]; next: string | null };

/** `GET /pix/receipts`: returns one page, newest first. */
export async function listReceipts(
  { receipts }: { receipts: Pick<ReceiptStore, 'listPage'> },
  { query: { state = '', cursor, limit = 50 } }: Call<typeof contract.listPixReceipts>,
): Promise<Page> {
  const states = state.split(',').filter(Boolean) as PixReceiptState[];
  const [ms = '', endToEndId = ''] = cursor?.split('-') ?? [];
  const after = cursor === undefined ? null : { receivedAt: new Date(Number(ms)), endToEndId };
  const found = await receipts.listPage({ states, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  const next = hasMore ? `${last.receivedAt.getTime()}-${last.endToEndId}` : null;
  return { receipts: page.map(toReceiptResponse), next };
}

/** `GET /pix/receipts/{e2e}`. @throws 404 `not_found` */
export async function getReceipt(
  { receipts }: { receipts: Pick<ReceiptStore, 'find'> },
  { params }: Call<typeof contract.getPixReceipt>,
): Promise<ReceiptResponse> {
  const receipt = await receipts.find(params.e2e);
  if (!receipt) throw problem('not_found');
  return toReceiptResponse(receipt);
}
