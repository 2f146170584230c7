import { useEffect } from 'preact/hooks';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { BillPage } from './bill-page.tsx';
import type { BillScreenProps } from './late-bill.tsx';
import { billWords } from './messages.ts';
import { RecordPayment } from './record-payment.tsx';

/** One bill, and the payments for it. */
export function BillScreen({ session, id, step }: BillScreenProps) {
  const words = billWords();
  const { paying } = session;
  const bill = paying.find(id);
  const { failure, run } = useAction();
  const isMissing = bill === undefined;
  useEffect(() => {
    if (isMissing) void run(() => paying.read(id));
    // oxlint-disable-next-line react/exhaustive-deps -- `run` is another one at each rendering
  }, [paying, id, isMissing]);
  if (bill) {
    const Page = step === 'pay' ? RecordPayment : BillPage;
    return <Page key={id} session={session} bill={bill} />;
  }
  return (
    <>
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {words.toTables}
      </a>
      {failure === null ? <p>{words.reading}</p> : <ErrorPanel words={failureWords(failure)} />}
    </>
  );
}
