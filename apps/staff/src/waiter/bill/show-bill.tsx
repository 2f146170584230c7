import type { Bill } from '@comanda/contracts/bills';
import { BillView } from '@comanda/ui/bill/bill-view.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { billWords } from './messages.ts';
import './show-bill.css';

type ShowBillProps = { bill: Bill; isShown: boolean; onClose: () => void };

/** The bill alone, without a waiter's controls, to hand the phone to the guest or to print it. */
export function ShowBill({ bill, isShown, onClose }: ShowBillProps) {
  const words = billWords();
  return (
    <div class={classNames('bill-shown', bill.payments.length === 0 && 'bill-unpaid')}>
      <Dialog
        title={words.title(bill.table)}
        isOpen={isShown}
        onClose={onClose}
        footer={<Button onClick={() => print()}>{words.print}</Button>}
      >
        <BillView bill={bill} />
      </Dialog>
    </div>
  );
}
