import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { BillView } from '@comanda/ui/bill/bill-view.tsx';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { paidBy } from '@comanda/ui/bill/paid-by.ts';
import { receiptText } from '@comanda/ui/bill/receipt-text.ts';
import { AskDialog } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney, formatRate } from '@comanda/ui/format.ts';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { saveFile } from '@comanda/ui/save-file.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { BackLink } from '../back-link.tsx';
import { CallButton } from '../call/call-button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { Notice } from '../notice.tsx';
import { messages } from '../messages.ts';
import { BillNotLiveNotice } from '../not-live-notice.tsx';
import { restaurant } from '../restaurant.ts';
import { isSettled, SeatNotice } from '../seat/seat-notice.tsx';
import './bill-page.css';
import type { Bills } from './bills.ts';
import { payMessages } from './messages.ts';
import { PaymentList } from './payment-list.tsx';
import { totalOf } from './pin-payment-state.ts';

/** Shows the table's bill: who ordered what, the total, and what is left to pay. */
export function BillPage({ bills }: { bills: Bills }) {
  const words = payMessages();
  const guest = useGuest();
  const { navigate } = useRouter();
  const bill = bills.current.value;
  const isToPay = bill?.status === 'open' && bill.remaining !== '0.00' && bills.mayPay(bill);
  const ownPix = bill && bills.ownPixOf(bill);
  const hasPaid = bill !== null && paidBy(bill, guest.seat.isOwn) !== '0.00';
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
        <CallButton />
      </header>
      <main class="stack gap-4 page-main bill-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{words.tableBill(bill?.table ?? null)}</h1>
        </div>
        {/* The bill itself says goodbye. */}
        {!(bill?.status === 'closed' && isSettled(guest)) && <SeatNotice />}
        <BillNotLiveNotice bills={bills} />
        <PendingNotice bills={bills} />
        {bill ? <Content bills={bills} bill={bill} /> : <NoBill bills={bills} />}
      </main>
      <footer class="dock bill-dock">
        <Button size="large" onClick={() => navigate({ page: 'orders' })}>
          {words.orders}
        </Button>
        {bill && ownPix ? (
          <Button kind="primary" size="large" onClick={() => navigate({ page: 'pay', part: 'pix', id: ownPix.id })}>
            {words.yourCode(formatMoney(ownPix.total, bill.currency))}
          </Button>
        ) : (
          isToPay && (
            <Button kind={hasPaid ? 'secondary' : 'primary'} size="large" onClick={() => navigate({ page: 'pay' })}>
              {hasPaid ? words.payForOthers : words.pay(formatMoney(bill.remaining, bill.currency))}
            </Button>
          )
        )}
      </footer>
    </div>
  );
}

/** Says that there is no bill. While one may still exist, shows nothing, because the notice above explains that. */
function NoBill({ bills: { isBeingRead, isMissing } }: { bills: Bills }) {
  const words = payMessages();
  if (isMissing.value) return null;
  if (isBeingRead.value) return <EmptyState title={words.notRead} />;
  return <EmptyState drawing={<EmptyPlateDrawing />} title={words.none} hint={words.noneHint} />;
}

function Content({ bills, bill }: { bills: Bills; bill: Bill }) {
  const words = payMessages();
  const { seat } = useGuest();
  const { failure, isBusy, run } = useAction();
  const isPaidInPart = bill.payments.some(({ status }) => activeStatuses.has(status));
  const isOpen = bill.status === 'open';
  const isChoosable = isOpen && !isPaidInPart && bills.mayDecline.value;
  const isIncluded = bill.service_charge.included;
  const serviceName = billMessages().service(formatRate(bill.service_charge.rate));
  const [isAsking, setIsAsking] = useState(false);
  const addService = (): void => void run(() => bills.setServiceCharge(bill, true));
  return (
    <>
      <Outcome bill={bill} />
      {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
      <div class="bill-card">
        <BillView
          bill={bill}
          isOwn={seat.isOwn}
          besideService={
            isChoosable && (
              <Button
                kind="quiet"
                size="small"
                aria-label={`${isIncluded ? words.declineService : words.addService}: ${serviceName}`}
                aria-disabled={isBusy}
                onClick={() => (isIncluded ? setIsAsking(true) : addService())}
              >
                {isIncluded ? words.declineService : words.addService}
              </Button>
            )
          }
        />
      </div>
      <PaymentList bill={bill} />
      <AskDialog
        isOpen={isAsking}
        question={words.declineTitle}
        yes={words.declineYes}
        no={words.declineNo}
        wordsOf={billFailureWords}
        onYes={() => bills.setServiceCharge(bill, false)}
        onClose={() => setIsAsking(false)}
      >
        <p>{words.declineText(serviceName, formatMoney(bill.service_charge.amount, bill.currency))}</p>
      </AskDialog>
      {isChoosable && bill.service_charge.rate !== '0.00' && <p class="dim">{words.serviceHint}</p>}
      {isOpen && bill.remaining !== '0.00' && !bills.mayPay(bill) && <p class="dim">{words.payWaiter}</p>}
    </>
  );
}

/** Says that a payment from an account has no response yet. */
function PendingNotice({ bills: { pinPayment } }: { bills: Bills }) {
  const words = payMessages();
  const { navigate } = useRouter();
  const kept = pinPayment.kept.value;
  if (!kept || pinPayment.stage.value.kind !== 'asking') return null;
  return (
    <Notice kind="warning" icon="clock" title={words.pendingTitle}>
      <p>{words.pendingText(formatMoney(totalOf(kept.plan), kept.plan.currency))}</p>
      <Button size="small" onClick={() => navigate({ page: 'pay', part: 'pin' })}>
        {words.look}
      </Button>
    </Notice>
  );
}

/** Thanks the guests once everything, or this guest's part, is paid. */
function Outcome({ bill }: { bill: Bill }) {
  const words = payMessages();
  const { seat } = useGuest();
  const { status, number, remaining, reserved, lines } = bill;
  if (status === 'closed')
    return (
      <Notice kind="good" icon="check" title={words.closed(number)}>
        <p>{seat.table.value === null ? messages().goodbyeText : words.closedHint}</p>
        <Button size="small" icon={<LateIcon name="download" size={20} />} onClick={() => saveReceipt(bill)}>
          {billMessages().receipt.save}
        </Button>
      </Notice>
    );
  // An amount that is being paid now isn't paid yet.
  const open = fromMinor(toMinor(remaining) + toMinor(reserved));
  if (open !== '0.00' && paidBy(bill, seat.isOwn) !== '0.00')
    return (
      <Notice kind="good" icon="check" title={words.ownPaid}>
        <p>{words.ownPaidHint(formatMoney(open, bill.currency))}</p>
      </Notice>
    );
  if (open !== '0.00' || lines.length === 0) return null;
  return (
    <Notice kind="good" icon="check" title={words.allPaid}>
      <p>{words.allPaidHint}</p>
    </Notice>
  );
}

/** Downloads the bill's receipt as a text file. */
function saveReceipt(bill: Bill): void {
  const text = receiptText(bill, restaurant.value.name);
  saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), billMessages().receipt.file(bill.number));
}
