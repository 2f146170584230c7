import type { Bill } from '@comanda/contracts/bills';
import { useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { BillView } from '@comanda/ui/bill/bill-view.tsx';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatRate, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Switch } from '@comanda/ui/switch.tsx';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import type { WaiterSession } from '../waiter-session.ts';
import './show-bill.css';
import './bill-page.css';
import { BillEnd } from './bill-end.tsx';
import { DiscountForm } from './discount-form.tsx';
import { billWords } from './messages.ts';
import { Payments } from './payments.tsx';
import { waiterMessages } from '../messages.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';

export type BillProps = { session: WaiterSession; bill: Bill };

/** Shows a bill as the guest sees it, its payments, and the waiter's actions. */
export function BillPage({ session, bill }: BillProps) {
  const words = billWords();
  const { table, status, number, closed_at: closedAt } = bill;
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <a class="waiter-back" href={table === null ? '#/waiter/tables' : `#/waiter/tables/${table}`}>
        <Icon name="back" /> {table === null ? waiterMessages().tables.back : uiMessages().tableOf(table)}
      </a>
      <div class="waiter-page-head">
        <h1>{words.title(table)}</h1>
        {closedAt !== null && <p>{words.closed(number, formatTime(closedAt))}</p>}
      </div>
      {status === 'merged' && <p role="alert">{words.merged}</p>}
      {/* While the dialog shows the bill to the guest, no tool finds a second bill of the same name here. */}
      <div inert={isShown}>
        <Content session={session} bill={bill} />
      </div>
      <Payments session={session} bill={bill} />
      <BillEnd session={session} bill={bill} onShow={() => setIsShown(true)} />
      <ShowBill bill={bill} isShown={isShown} onClose={() => setIsShown(false)} />
    </>
  );
}

function Content({ session: { paying, mayDiscount }, bill }: BillProps) {
  const words = billWords();
  const [isDiscounting, setIsDiscounting] = useState(false);
  const { failure, isBusy, run } = useAction();
  const isOpen = bill.status === 'open';
  const isPaidInPart = bill.payments.some(({ status }) => activeStatuses.has(status));
  const mayTakeAway = isOpen && mayDiscount.value;
  // A paid bill can't be discounted.
  const mayGive = mayTakeAway && bill.remaining !== '0.00';
  return (
    <div class={classNames('waiter-panel bill-page', bill.payments.length === 0 && 'bill-unpaid')}>
      {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
      <BillView
        bill={bill}
        renderUnderDiscount={({ id, label }) =>
          mayTakeAway && (
            <IconButton
              label={words.discountAway(label ?? billMessages().discount)}
              onClick={() => void run(() => paying.takeDiscountAway(bill, id))}
            >
              <Icon name="close" />
            </IconButton>
          )
        }
        besideService={
          isOpen &&
          !isPaidInPart && (
            <Switch
              label={billMessages().service(formatRate(bill.service_charge.rate))}
              isOn={bill.service_charge.included}
              isBusy={isBusy}
              onChange={(included) => void run(() => paying.setServiceCharge(bill, included))}
            />
          )
        }
      />
      {isDiscounting && <DiscountForm paying={paying} bill={bill} onDone={() => setIsDiscounting(false)} />}
      {mayGive && bill.lines.length > 0 && !isDiscounting && (
        <Button kind="quiet" size="small" class="bill-discount" onClick={() => setIsDiscounting(true)}>
          {billMessages().discount}
        </Button>
      )}
    </div>
  );
}

type ShowBillProps = { bill: Bill; isShown: boolean; onClose: () => void };

/** The bill alone, without a waiter's controls, to hand the phone to the guest or to print it. */
function ShowBill({ bill, isShown, onClose }: ShowBillProps) {
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
