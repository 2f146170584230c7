import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { Fact } from '../account/receipt-fact.tsx';
import { saveReceipt } from '../account/save-receipt.ts';
import { useRouter } from '../contexts.ts';
import '../order/slip.css';
import { pinMessages } from './pin-messages.ts';
import { PaymentStatus, StepPage, type StepProps } from './pin-payment-layout.tsx';
import type { en } from './messages/pin.en.ts';
import './pin-payment.css';
import { tipAmountOf, totalOf, type Ending } from './pin-payment-state.ts';
import { OtherWay } from './pin-payment-steps.tsx';
import { payMessages } from './messages.ts';

/** The amount that is left on the bill; null if it isn't known. */
type WithLeft = { left: string | null };

/** Shows how the payment ended: a receipt, or why nothing was charged. */
export function PaymentEnded({ ending, left, ...props }: StepProps & WithLeft & { ending: Ending }) {
  if (ending.outcome === 'paid') return <Paid {...props} ending={ending} left={left} />;
  return <NotPaid {...props} ending={ending} />;
}

type PaidProps = StepProps & WithLeft & { ending: Extract<Ending, { outcome: 'paid' }> };

function Paid({ kept, restaurant, ending, left }: PaidProps) {
  const words = pinMessages();
  const { replace } = useRouter();
  const { plan, accountId } = kept;
  const { transfer, payment } = ending;
  const show = (amount: string): string => formatMoney(amount, plan.currency);
  const tip = tipAmountOf(plan);
  const at = transfer?.created_at ?? payment?.settled_at;
  const time = at == null ? '' : formatTime(at);
  return (
    <div class="page">
      <main class="page-main account-main pin-payment-paid">
        <div class="slip-box">
          <div class="stack slip receipt">
            <span class="centre receipt-check">
              <Icon name="check" size={40} />
            </span>
            <h1 tabIndex={-1}>{payMessages().paying.paid(show(totalOf(plan)), time)}</h1>
            <PaymentStatus class="visually-hidden">{payMessages().paying.paidAt(time)}</PaymentStatus>
            <p class="receipt-name">
              {[restaurant, plan.table === null ? null : payMessages().paying.atTable(plan.table)]
                .filter(Boolean)
                .join(', ')}
            </p>
            <dl class="receipt-facts">
              <Fact name={words.part} value={show(plan.amount)} />
              {tip !== '0.00' && <Fact name={billMessages().tip} value={show(tip)} />}
              {accountId !== null && <Fact name={words.account} value={String(accountId)} />}
              {transfer && <Fact name={words.number} value={words.numbered(transfer.id)} />}
            </dl>
            {left !== null && (
              <p class="receipt-left">
                {left === '0.00' ? payMessages().paying.allPaid : payMessages().paying.left(show(left))}
              </p>
            )}
          </div>
        </div>
        {!transfer && <p class="dim account-quiet">{words.noReceipt}</p>}
      </main>
      <footer class="dock">
        {transfer && (
          <Button icon={<LateIcon name="download" />} onClick={() => saveReceipt(transfer)}>
            {words.save}
          </Button>
        )}
        <Button kind="primary" size="large" onClick={() => replace({ page: 'bill' })}>
          {payMessages().paying.done}
        </Button>
      </footer>
    </div>
  );
}

function NotPaid({ pinPayment, ending }: StepProps & { ending: Exclude<Ending, { outcome: 'paid' }> }) {
  const words = pinMessages();
  const { outcome, failure } = ending;
  const reason = failure ? words.reasons[failure.code as keyof typeof en.reasons] : undefined;
  return (
    <StepPage
      title={words.ended}
      dock={
        <>
          <Button kind="primary" size="large" onClick={() => void pinPayment.beginAgain()}>
            {words.beginAgain}
          </Button>
          <OtherWay />
        </>
      }
    >
      <PaymentStatus class="visually-hidden">{words.ended}</PaymentStatus>
      <p role="alert">{reason ?? words.endings[outcome]}</p>
    </StepPage>
  );
}
