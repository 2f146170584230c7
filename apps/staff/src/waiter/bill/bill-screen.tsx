import type { Source } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import type { Bill } from '@comanda/contracts/bills';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { BillPage } from './bill-page.tsx';
import type { BillScreenProps } from './late-bill.tsx';
import { billWords } from './messages.ts';
import { RecordPayment } from './record-payment.tsx';

/** The pages for one bill and its payments. */
export function BillScreen({ session, id, step, method }: BillScreenProps) {
  const bill = session.paying.bills.value.find((each) => each.id === id);
  if (!bill) return <UnlistedBill key={id} {...{ session, id, step, method }} />;
  return <Shown {...{ session, bill, step, method }} />;
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
function UnlistedBill({ session, id, step, method }: BillScreenProps) {
  const words = billWords();
  const { rows, failure } = useCollection(session.client, oneBill(id));
  const [bill] = rows.value;
  if (bill) return <Shown {...{ session, bill, step, method }} />;
  return (
    <>
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {words.toTables}
      </a>
      {failure.value === null ? <p>{words.reading}</p> : <ErrorPanel words={failureWords(failure.value)} />}
    </>
  );
}

type ShownProps = Pick<BillScreenProps, 'session' | 'step' | 'method'> & { bill: Bill };
function Shown({ session, bill, step, method }: ShownProps) {
  if (step === 'pay') return <RecordPayment key={bill.id} session={session} bill={bill} wished={method} />;
  return <BillPage key={bill.id} session={session} bill={bill} />;
}
