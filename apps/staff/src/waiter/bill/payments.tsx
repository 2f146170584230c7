import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import { useState } from 'preact/hooks';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { ownRefundMinutes } from '@comanda/contracts/rules';
import { Ask } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { isolated } from '@comanda/ui/isolated.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { ChooseDrawer, usedDrawer } from '../../cash/choose-drawer.tsx';
import { ReasonChoice } from '../../reasons/reason-choice.tsx';
import type { BillProps } from './bill-page.tsx';
import { billWords } from './messages.ts';
import type { NewRefund } from './paying.ts';

/** Returns true unless the payment is refunded elsewhere: from an account, or by the bank that has confirmed its Pix. */
const isRefundedHere = ({ method, pix }: BillPayment): boolean =>
  method === 'pix' ? pix?.confirmed_by === 'staff' : method !== 'account';

/** Returns true for a Pix that the bank has confirmed. A manager gives it back on the page “Pix”, with the PIN. */
const isRefundedByBank = ({ method, status, pix }: BillPayment): boolean =>
  method === 'pix' && status === 'paid' && pix?.confirmed_by === 'bank';

/** How long after its start a cancelled Pix is shown. */
const cancelledForMs = 30 * 60_000;

/**
 * Returns true for a Pix whose code has expired or, a short time ago, was cancelled: a guest may have paid it in time, and the bank
 * or staff confirm it late.
 */
const mayStillBePaid = ({ method, status, created_at: at }: BillPayment, bill: Bill, now: number): boolean =>
  method === 'pix' &&
  bill.status === 'open' &&
  (status === 'expired' || (status === 'cancelled' && now - Date.parse(at) <= cancelledForMs));

/** Lists payments and refunds, oldest first. */
export function Payments({ session, bill }: BillProps) {
  const words = billWords();
  const [refunding, setRefunding] = useState<number | null>(null);
  const shown = bill.payments.filter(
    (payment) =>
      activeStatuses.has(payment.status) ||
      payment.status === 'refunded' ||
      mayStillBePaid(payment, bill, session.now.value),
  );
  if (shown.length === 0) return null;
  const { isManager, userId } = session;
  /** As on the server, managers may refund any payment, and waiters only their own, for a few minutes while the bill is open. */
  const mayRefund = ({ recorded_by: by, created_at: at }: BillPayment): boolean =>
    isManager ||
    (bill.status === 'open' && by.id === userId && session.now.value - Date.parse(at) <= ownRefundMinutes * 60_000);
  const nameOf = ({ method, total }: BillPayment): string =>
    words.payment(billWords().methodNames[method], formatMoney(total, bill.currency));
  return (
    <section class="waiter-panel" aria-label={billMessages().payments}>
      <h2>{billMessages().payments}</h2>
      <ul>
        {shown.map((payment) => (
          <li
            key={payment.id}
            class={classNames('row wrap bill-payment', payment.status === 'refunded' && 'bill-payment-gone')}
          >
            <span>
              <b>{nameOf(payment)}</b>
              <small>{detailsOf(payment, bill.currency)}</small>
            </span>
            {payment.status === 'paid' && isRefundedHere(payment) && mayRefund(payment) && (
              <Button
                size="small"
                aria-label={words.refundLabel(nameOf(payment))}
                aria-expanded={refunding === payment.id}
                onClick={() => setRefunding(payment.id)}
              >
                {words.refund}
              </Button>
            )}
            {payment.method === 'pix' && ['reserved', 'expired', 'cancelled'].includes(payment.status) && (
              <a
                class="button button-secondary button-small"
                href={`#/waiter/bill/${bill.id}/pix/${payment.id}`}
                aria-label={billMessages().showCodeOf(nameOf(payment))}
              >
                <span class="button-text">{billMessages().showCode}</span>
              </a>
            )}
            {isManager && isRefundedByBank(payment) && (
              <a
                class="button button-secondary button-small"
                href={`#/manager/pix/${bill.id}/${payment.id}`}
                aria-label={words.refundLabel(nameOf(payment))}
              >
                <span class="button-text">{words.refund}</span>
              </a>
            )}
            {refunding === payment.id && payment.status === 'paid' && (
              <AskRefund
                client={session.client}
                name={nameOf(payment)}
                total={formatMoney(payment.total, bill.currency)}
                // The last release's service can't refund in cash. Its payments have no `refund` field.
                mayBeInCash={isManager && payment.method !== 'cash' && payment.refund !== undefined}
                onYes={(refund) => session.paying.refund(payment, refund)}
                onDone={() => setRefunding(null)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function detailsOf(
  { method, status, refund, tip, change, payer, pix, created_at: at }: BillPayment,
  currency: string,
): string {
  const words = billWords();
  return [
    formatTime(at),
    isolated(guestName(payer?.name ?? '')),
    tip !== '0.00' && words.paymentTip(formatMoney(tip, currency)),
    change !== null && change !== '0.00' && words.paymentChange(formatMoney(change, currency)),
    status === 'reserved' && words.notPaidYet,
    status === 'expired' && words.codeExpired,
    status === 'cancelled' && words.codeCancelled,
    status === 'paid' && pix?.confirmed_by != null && billMessages().confirmedBy[pix.confirmed_by],
    status === 'refunded' && words.refunded,
    refund && refund.method !== method && billWords().methodNames[refund.method],
    status === 'refunding' && words.refunding,
  ]
    .filter(Boolean)
    .join(' · ');
}

type AskRefundProps = {
  client: BillProps['session']['client'];
  name: string;
  total: string;
  /** True if the payment can be refunded in cash instead of by its own method. */
  mayBeInCash: boolean;
  onYes: (refund: NewRefund) => Promise<void>;
  onDone: () => void;
};

function AskRefund({ client, name, total, mayBeInCash, onYes, onDone }: AskRefundProps) {
  const words = billWords();
  const [reason, setReason] = useState('');
  const [isInCash, setIsInCash] = useState(false);
  const cashDrawer = usedDrawer();
  return (
    <Ask
      question={words.refundAsk(name)}
      yes={words.refundYes(total)}
      kind="danger"
      isReady={reason.trim() !== ''}
      wordsOf={billFailureWords}
      onYes={() =>
        onYes({
          reason: reason.trim(),
          ...(isInCash && { method: 'cash', ...(cashDrawer !== null && { cash_drawer: cashDrawer }) }),
        })
      }
      onClose={onDone}
    >
      <p>{words.refundText}</p>
      {mayBeInCash && (
        <Chip pressed={isInCash} onClick={() => setIsInCash(!isInCash)}>
          {words.inCash}
        </Chip>
      )}
      {isInCash && <ChooseDrawer client={client} is="from" />}
      <ReasonChoice of="refund" reason={reason} onChange={setReason} />
    </Ask>
  );
}
