import type { BillPayment } from '@comanda/contracts/bills';
import { useState } from 'preact/hooks';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { isolated } from '@comanda/ui/isolated.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Ask } from '../ask.tsx';
import type { BillProps } from './bill-page.tsx';
import { billWords } from './messages.ts';

/** What was paid and given back, oldest first. */
export function Payments({ session, bill }: BillProps) {
  const words = billWords();
  const [refunding, setRefunding] = useState<number | null>(null);
  const shown = bill.payments.filter(({ status }) => activeStatuses.has(status) || status === 'refunded');
  if (shown.length === 0) return null;
  const mayRefund = bill.status === 'open' || session.isManager;
  const nameOf = ({ method, total }: BillPayment): string =>
    words.payment(words.methodNames[method], formatMoney(total, bill.currency));
  return (
    <section class="waiter-panel" aria-label={words.payments}>
      <h2>{words.payments}</h2>
      <ul>
        {shown.map((payment) => (
          <li key={payment.id} class={classNames('bill-payment', payment.status === 'refunded' && 'bill-payment-gone')}>
            <span>
              <b>{nameOf(payment)}</b>
              <small>{detailsOf(payment, bill.currency)}</small>
            </span>
            {payment.status === 'paid' && payment.method !== 'account' && mayRefund && (
              <Button
                size="small"
                aria-label={words.refundLabel(nameOf(payment))}
                aria-expanded={refunding === payment.id}
                onClick={() => setRefunding(payment.id)}
              >
                {words.refund}
              </Button>
            )}
            {refunding === payment.id && payment.status === 'paid' && (
              <AskRefund
                name={nameOf(payment)}
                total={formatMoney(payment.total, bill.currency)}
                onYes={(reason) => session.paying.refund(payment, reason)}
                onDone={() => setRefunding(null)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function detailsOf({ status, tip, change, payer, created_at: at }: BillPayment, currency: string): string {
  const words = billWords();
  return [
    formatTime(at),
    isolated(guestName(payer?.name ?? '')),
    tip !== '0.00' && words.paymentTip(formatMoney(tip, currency)),
    change !== null && change !== '0.00' && words.paymentChange(formatMoney(change, currency)),
    status === 'refunded' && words.refunded,
    status === 'refunding' && words.refunding,
  ]
    .filter(Boolean)
    .join(' · ');
}

type AskRefundProps = {
  name: string;
  total: string;
  onYes: (reason: string) => Promise<void>;
  onDone: () => void;
};

function AskRefund({ name, total, onYes, onDone }: AskRefundProps) {
  const words = billWords();
  const [reason, setReason] = useState('');
  const { failure, isBusy, run } = useAction();
  const submit = async (): Promise<void> => {
    if (reason.trim() !== '' && (await run(() => onYes(reason.trim())))) onDone();
  };
  return (
    <Ask question={words.refundAsk(name)}>
      <Form onSubmit={() => void submit()}>
        <p>{words.refundText}</p>
        {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
        <Field
          label={words.reason}
          value={reason}
          maxLength={200}
          placeholder={words.reasonExample}
          required
          onInput={setReason}
        />
        <div class="waiter-ask-buttons">
          <Button onClick={onDone}>{words.cancel}</Button>
          <Button kind="danger" type="submit" disabled={isBusy}>
            {words.refundYes(total)}
          </Button>
        </div>
      </Form>
    </Ask>
  );
}
