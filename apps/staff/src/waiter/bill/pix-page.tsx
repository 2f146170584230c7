import { CallFailure, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { type PixCharge, type PixCode, followPixCode } from '@comanda/ui/bill/pix-code.ts';
import { endOfCode, usePixIsOver } from '@comanda/ui/bill/use-pix-is-over.ts';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { QrCode } from '@comanda/ui/qr-code.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CloseBill } from './bill-end.tsx';
import type { BillProps } from './bill-page.tsx';
import { billWords } from './messages.ts';
import { pixWords } from './pix-messages.ts';
import './pix-page.css';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';

type PixPageProps = BillProps & { /** The payment's id. */ id: number };

/** Shows the code of a payment by Pix for the guest to scan, and then that it is paid. */
export function PixPage({ session, bill, id }: PixPageProps) {
  const words = pixWords();
  const payment = bill.payments.find((each) => each.id === id);
  return (
    <>
      <a class="waiter-back" href={`#/waiter/bill/${bill.id}`}>
        <Icon name="back" /> {words.back(bill.table)}
      </a>
      {payment ? (
        <Shown key={id} session={session} bill={bill} payment={payment} />
      ) : (
        <p role="status">{session.paying.isRead.value ? words.unknown : words.reading}</p>
      )}
    </>
  );
}

type ShownProps = BillProps & { payment: BillPayment };

function Shown({ session, bill, payment }: ShownProps) {
  const words = pixWords();
  const { status, settled_at: settledAt, created_at: createdAt, pix } = payment;
  const total = formatMoney(payment.total, bill.currency);
  if (status === 'reserved') return <Reserved session={session} bill={bill} payment={payment} />;
  if (status === 'paid')
    return (
      <>
        <section class="waiter-panel pix-paid" role="status">
          <Icon name="check" size={40} />
          <h1>{words.paid(total, formatTime(settledAt ?? createdAt))}</h1>
          {pix?.confirmed_by != null && <p>{words.confirmedBy[pix.confirmed_by]}</p>}
        </section>
        <div class="pay-record">
          {bill.status === 'open' && bill.remaining === '0.00' && bill.reserved === '0.00' && (
            <CloseBill session={session} bill={bill} />
          )}
          <a class="button button-secondary button-large" href={`#/waiter/bill/${bill.id}`}>
            <span class="button-text">{billWords().strip.toBill}</span>
          </a>
        </div>
      </>
    );
  if (status === 'refunding' || status === 'refunded') return <Over bill={bill} title={words.refundTitles[status]} />;
  return <Ended session={session} bill={bill} payment={payment} />;
}

type OverProps = { title: string; children?: ComponentChildren };

/** A payment whose code can no longer be paid. */
const Over = ({ bill, title, children }: Pick<BillProps, 'bill'> & OverProps) => (
  <>
    <div class="waiter-page-head">
      <h1>{title}</h1>
    </div>
    {children}
    <div class="pay-record">
      <a class="button button-primary button-large" href={`#/waiter/bill/${bill.id}/pay/pix`}>
        <span class="button-text">{pixWords().again}</span>
      </a>
    </div>
  </>
);

/** Asks for the payment's code as long as it is shown. */
function usePixCode(client: Client, { id, total }: BillPayment, currency: string): PixCode {
  const [code, setCode] = useState<PixCode>({ kind: 'loading' });
  useEffect(
    () => followPixCode(client, { payment: { id, total }, currency, onCode: setCode }),
    [client, id, total, currency],
  );
  return code;
}

/** The way to confirm a payment by hand: for staff where they look into the bank's app, and for managers. */
function Confirm({ session: { client, isManager }, bill, payment, code }: ShownProps & { code: PixCode }) {
  if (code.kind !== 'ready') return null;
  const { mode } = code.charge;
  if (mode === 'bank' && !isManager) return null;
  return <ConfirmPix client={client} payment={payment} currency={bill.currency} mode={mode} />;
}

/** A payment that has expired or was cancelled. If it was paid in time, its part may still be free, so it can be confirmed. */
function Ended(props: ShownProps) {
  const words = pixWords();
  const { session, bill, payment } = props;
  const code = usePixCode(session.client, payment, bill.currency);
  return (
    <Over bill={bill} title={payment.status === 'cancelled' ? words.cancelledTitle : words.endedTitle}>
      <p role="status">{words.endedText}</p>
      <Confirm {...props} code={code} />
    </Over>
  );
}

function Reserved(props: ShownProps) {
  const words = pixWords();
  const { session, bill, payment } = props;
  const { client } = session;
  const code = usePixCode(client, payment, bill.currency);
  const charge = code.kind === 'ready' ? code.charge : null;
  const total = formatMoney(payment.total, bill.currency);
  if (usePixIsOver(client, payment, charge)) return <Ended {...props} />;
  return (
    <>
      <div class="waiter-page-head">
        <h1>{words.title(total)}</h1>
      </div>
      {code.kind === 'loading' && <p role="status">{words.loading}</p>}
      {code.kind === 'late' && (
        <section class="waiter-panel" role="status">
          <h2>{words.lateTitle}</h2>
          <p>{words.lateText}</p>
        </section>
      )}
      {code.kind === 'refused' && <ErrorPanel words={billFailureWords(code.failure)} />}
      {charge && <Code charge={charge} total={total} />}
      <Confirm {...props} code={code} />
      <CancelPix client={client} payment={payment} />
    </>
  );
}

function Code({ charge, total }: { charge: PixCharge; total: string }) {
  const words = pixWords();
  const until = formatTime(endOfCode(charge));
  return (
    <section class="waiter-panel pix-code-panel" aria-label={words.scan}>
      <p class="pix-state" role="status" aria-label={words.status}>
        {charge.mode === 'staff' ? words.toConfirm(until) : words.waiting(until)}
      </p>
      <QrCode text={charge.code} label={words.qr(total)} />
      <p>{words.scan}</p>
    </section>
  );
}

function CancelPix({ client, payment: { id, bill_id: billId } }: { client: Client; payment: BillPayment }) {
  const words = pixWords();
  return (
    <AskInPlace
      opener={{ kind: 'quiet', class: 'pix-cancel', children: words.cancel }}
      question={words.cancelAsk}
      yes={words.cancelYes}
      no={words.keep}
      kind="danger"
      wordsOf={billFailureWords}
      onYes={() => client.calls.cancelBillPayment({ id: billId, payment_id: id })}
    >
      <p>{words.cancelText}</p>
    </AskInPlace>
  );
}

type ConfirmPixProps = {
  client: Client;
  payment: BillPayment;
  currency: string;
  /** Who should confirm it. In the mode `bank`, a manager does so only because the bank is down. */
  mode: PixCharge['mode'];
};

/** Lets staff say that they have seen the Pix in the bank's app. The payment then says that staff have confirmed it. */
function ConfirmPix({ client, payment: { id, total }, currency, mode }: ConfirmPixProps) {
  const words = pixWords();
  const [reference, setReference] = useState('');
  const money = formatMoney(total, currency);
  const isByHand = mode === 'bank';
  const confirm = (): Promise<unknown> =>
    client.calls.confirmPixCharge({ payment_id: id, ...(reference.trim() !== '' && { reference: reference.trim() }) });
  return (
    <AskInPlace
      opener={
        isByHand
          ? { kind: 'quiet', class: 'pix-cancel', children: words.confirmByHand }
          : { kind: 'primary', size: 'large', children: words.confirm }
      }
      question={words.confirmAsk(money)}
      yes={words.confirmYes(money)}
      no={words.confirmNo}
      wordsOf={(failure) => wordsOf(failure, mode)}
      onYes={confirm}
    >
      <p>{words.confirmText}</p>
      <Field label={words.reference} value={reference} maxLength={64} autocomplete="off" onInput={setReference} />
    </AskInPlace>
  );
}

function wordsOf(failure: unknown, mode: PixCharge['mode']): FailureWords {
  const found = billFailureWords(failure);
  if (!(failure instanceof CallFailure && failure.is('payment_not_payable'))) return found;
  return { ...found, happened: pixWords().notConfirmed, toDo: pixWords().notConfirmedToDo[mode] };
}
