import type { Source } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import type { Bill } from '@comanda/contracts/bills';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { BillPage } from './bill-page.tsx';
import type { WaiterSession } from '../waiter-session.ts';
import { billWords } from './messages.ts';
import { RecordPayment } from './record-payment.tsx';
import { waiterMessages } from '../messages.ts';

type BillScreenProps = {
  session: WaiterSession;
  id: number;
  /** `pay` for the page that records a payment, `pix` for a Pix code; otherwise empty. */
  step: string;
  /** The payment method that the guests have asked for, or the id of the payment by Pix; otherwise empty. */
  method: string;
  /** The amount that a guest wants to pay, with the tip; otherwise empty. */
  amount: string;
};

/** The pages for one bill and its payments. */
export function BillScreen({ id, ...props }: BillScreenProps) {
  const { session } = props;
  const bill = session.paying.bills.value.find((each) => each.id === id);
  if (!bill) return <UnlistedBill key={id} id={id} {...props} />;
  return <Shown bill={bill} {...props} />;
}

const oneBill = (id: number): Source<Bill> => ({
  ...bills,
  load: async function* loadBill({ calls }, options) {
    yield [await calls.getBill({ id }, options)];
  },
  changedBy: (event) => (bills.changedBy?.(event) === id ? id : null),
  select: (all) => all.filter((bill) => bill.id === id),
});

/** Loads and shows a bill that isn't in the list, because it was merged or was closed too long ago. */
function UnlistedBill({ id, ...props }: BillScreenProps) {
  const words = billWords();
  const { rows, failure } = useCollection(props.session.client, oneBill(id));
  const [bill] = rows.value;
  if (bill) return <Shown bill={bill} {...props} />;
  return (
    <>
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {waiterMessages().tables.back}
      </a>
      {failure.value === null ? <p>{words.reading}</p> : <ErrorPanel words={failureWords(failure.value)} />}
    </>
  );
}

/** Only Pix needs QR codes. */
const pixPage = lazyModule(() => import('./pix-page.tsx'));

type ShownProps = Omit<BillScreenProps, 'id'> & { bill: Bill };
function Shown({ session, bill, step, method, amount }: ShownProps) {
  if (step === 'pix')
    return (
      <Lazy key={method} module={pixPage}>
        {({ PixPage }) => <PixPage session={session} bill={bill} id={Number(method)} />}
      </Lazy>
    );
  if (step === 'pay') return <RecordPayment key={bill.id} session={session} bill={bill} wished={{ method, amount }} />;
  return <BillPage key={bill.id} session={session} bill={bill} />;
}
