import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import { pixMessages } from './messages.ts';
import type { PixProps, Receipt } from './receipt.ts';
import { ReceiptRow } from './receipt-row.tsx';

type PaymentReceiptProps = PixProps & { billId: number; paymentId: number };
type Found = { receipt: Receipt | null; isLoaded: boolean; failure: unknown };

/** Shows the Pix that has paid one payment of a bill, for example to give it back. */
export function PaymentReceipt({ client, session, billId, paymentId }: PaymentReceiptProps) {
  const words = pixMessages();
  const [found, setFound] = useState<Found>({ receipt: null, isLoaded: false, failure: null });
  useEffect(() => {
    let isLeft = false;
    async function load(): Promise<void> {
      const next: Found = { receipt: null, isLoaded: true, failure: null };
      try {
        const { pix } = await client.calls.getBillPayment({ id: billId, payment_id: paymentId });
        const e2e = pix?.end_to_end_id ?? null;
        if (e2e !== null) next.receipt = await client.calls.getPixReceipt({ e2e });
      } catch (failure) {
        next.failure = failure;
      }
      if (!isLeft) setFound(next);
    }
    void load();
    const feed = client.feed({
      onEvent: ({ type, data }) => {
        if (type === 'pix.receipt_changed' && data.receipt.payment_id === paymentId) void load();
      },
    });
    return () => {
      isLeft = true;
      feed.close();
    };
  }, [client, billId, paymentId]);
  const { receipt, isLoaded, failure } = found;
  return (
    <>
      <p>
        {words.ofBill} · <a href="#/manager/pix">{words.all}</a>
      </p>
      <Failure of={failure} />
      {!isLoaded && <LoadingRows />}
      {isLoaded && failure === null && receipt === null && <p role="status">{words.notReported}</p>}
      {receipt && (
        <ul class="stack gap-3" aria-label={words.ofBill}>
          <ReceiptRow
            client={client}
            session={session}
            receipt={receipt}
            onChanged={(changed) => setFound({ ...found, receipt: changed })}
          />
        </ul>
      )}
    </>
  );
}
