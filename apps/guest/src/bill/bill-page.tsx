import type { Bill } from '@comanda/contracts/bills';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { BillView } from '@comanda/ui/bill/bill-view.tsx';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Button } from '@comanda/ui/button.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney, formatRate } from '@comanda/ui/format.ts';
import { Switch } from '@comanda/ui/switch.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { BackLink } from '../back-link.tsx';
import { CallButton } from '../call/call-button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { Notice } from '../notice.tsx';
import { BillNotLiveNotice } from '../not-live-notice.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import './bill-page.css';
import type { Bills } from './bills.ts';
import { payMessages } from './messages.ts';
import { totalOf } from './pin-payment-state.ts';

/** Shows the table's bill: who ordered what, the total, and what is left to pay. */
export function BillPage({ bills }: { bills: Bills }) {
  const words = payMessages();
  const { navigate } = useRouter();
  const bill = bills.current.value;
  const isToPay = bill?.status === 'open' && bill.remaining !== '0.00' && bills.mayPay(bill);
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
        <CallButton hasText />
      </header>
      <main class="page-main bill-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{words.tableBill(bill?.table ?? null)}</h1>
        </div>
        <SeatNotice />
        <BillNotLiveNotice bills={bills} />
        <PendingNotice bills={bills} />
        {bill ? <Content bills={bills} bill={bill} /> : <NoBill bills={bills} />}
      </main>
      <footer class="dock bill-dock">
        <Button size="large" onClick={() => navigate({ page: 'orders' })}>
          {words.orders}
        </Button>
        {isToPay && (
          <Button kind="primary" size="large" onClick={() => navigate({ page: 'pay' })}>
            {words.pay(formatMoney(bill.remaining, bill.currency))}
          </Button>
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
              <Switch
                label={billMessages().service(formatRate(bill.service_charge.rate))}
                isOn={bill.service_charge.included}
                isBusy={isBusy}
                onChange={(included) => void run(() => bills.setServiceCharge(bill, included))}
              />
            )
          }
        />
      </div>
      {isChoosable && bill.service_charge.rate !== '0.00' && <p class="bill-hint">{words.serviceHint}</p>}
      {isOpen && bill.remaining !== '0.00' && !bills.mayPay(bill) && <p class="bill-hint">{words.payWaiter}</p>}
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

/** Thanks the guests once everything is paid. */
function Outcome({ bill: { status, number, remaining, reserved, lines } }: { bill: Bill }) {
  const words = payMessages();
  if (status === 'closed')
    return (
      <Notice kind="good" icon="check" title={words.closed(number)}>
        <p>{words.closedHint}</p>
      </Notice>
    );
  // An amount that is being paid now isn't paid yet.
  if (remaining !== '0.00' || reserved !== '0.00' || lines.length === 0) return null;
  return (
    <Notice kind="good" icon="check" title={words.allPaid}>
      <p>{words.allPaidHint}</p>
    </Notice>
  );
}
