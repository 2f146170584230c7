import type { PixReceiptState } from '@comanda/contracts/pix';
import { useEffect, useState } from 'preact/hooks';
import { ChipChoice } from '../chip-choice.tsx';
import { PagedList } from '../paged-list.tsx';
import { usePages } from '../use-pages.ts';
import { pixMessages } from './messages.ts';
import './pix-page.css';
import type { PixProps, Receipt } from './receipt.ts';
import { ReceiptRow } from './receipt-row.tsx';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';

type PixPageProps = PixProps & {
  /** The ids of a bill and its payment, to see only its Pix; otherwise empty. */ of: readonly string[];
};

const pageSize = 50;
const lists = {
  open: ['unmatched', 'settling', 'refunding'],
  settled: ['settled'],
  over: ['refunded', 'dismissed'],
} as const satisfies Record<string, readonly PixReceiptState[]>;
type ListName = keyof typeof lists;
const listNames = Object.keys(lists) as ListName[];

/** Lists the Pix that pay no bill, for a manager to assign, give back or dismiss; on request also the others. */
export function PixPage({ client, session, of: [billId, paymentId] }: PixPageProps) {
  const words = pixMessages();
  const [name, setName] = useState<ListName>('open');
  return (
    <>
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{words.hint}</p>
      </div>
      {billId !== undefined && paymentId !== undefined ? (
        <PaymentReceipt client={client} session={session} billId={Number(billId)} paymentId={Number(paymentId)} />
      ) : (
        <>
          <ChipChoice
            legend={words.show}
            choices={listNames}
            chosen={name}
            nameOf={(each) => words.lists[each]}
            onChoose={setName}
          />
          {/* Another state is another list. */}
          <Receipts key={name} client={client} session={session} name={name} />
        </>
      )}
    </>
  );
}

function Receipts({ client, session, name }: PixProps & { name: ListName }) {
  const words = pixMessages();
  const list = usePages<Receipt>(
    () => client.pages('listPixReceipts', { state: lists[name].join(','), limit: pageSize }),
    pageSize,
  );
  const { reload } = list;
  useEffect(() => {
    const feed = client.feed({
      onEvent: ({ type }) => {
        if (type === 'pix.receipt_changed') reload();
      },
    });
    return feed.close;
  }, [client, reload]);
  return (
    <PagedList list={list} empty={words.empty[name]}>
      {(items) => (
        <ul class="stack gap-3" aria-label={words.lists[name]}>
          {items.map((receipt) => (
            <ReceiptRow
              key={receipt.end_to_end_id}
              client={client}
              session={session}
              receipt={receipt}
              onChanged={(changed) => list.replace(changed, (each) => each.end_to_end_id === changed.end_to_end_id)}
            />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

type PaymentReceiptProps = PixProps & { billId: number; paymentId: number };
type Found = { receipt: Receipt | null; isLoaded: boolean; failure: unknown };

/** Shows the Pix that has paid one payment of a bill, for example to give it back. */
function PaymentReceipt({ client, session, billId, paymentId }: PaymentReceiptProps) {
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
