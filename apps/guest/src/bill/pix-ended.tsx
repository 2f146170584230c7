import { fromMinor, toMinor } from '@comanda/contracts/money';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { useEffect } from 'preact/hooks';
import { Fact } from '../account/receipt-fact.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import '../order/slip.css';
import { restaurant } from '../restaurant.ts';
import type { Bills } from './bills.ts';
import { CallAfterPaying } from './call-after-paying.tsx';
import { partText } from './part-text.ts';
import { PixLayout, PixStatus, type PixTermsProps } from './pix-layout.tsx';
import { pixMessages } from './pix-messages.ts';
import { payMessages } from './messages.ts';

type EndedProps = PixTermsProps & { bills: Bills };

/** Shows what was paid, when, and who has confirmed it. */
export function PixPaid({ bills: { pix }, payment, bill, currency }: EndedProps) {
  const words = pixMessages();
  const { replace } = useRouter();
  const { seat } = useGuest();
  const { tip, total, settled_at: at, pix: seen } = payment;
  const show = (each: string): string => formatMoney(each, currency);
  const time = formatTime(at ?? payment.created_at);
  const table = bill?.table ?? seat.table.value;
  // An amount that is being paid now isn't paid yet.
  const left = bill && fromMinor(toMinor(bill.remaining) + toMinor(bill.reserved));
  // What was read here needs no second reading.
  useEffect(() => pix.forgetPaid, [pix]);
  return (
    <div class="page">
      <main class="page-main account-main pin-payment-paid">
        <div class="slip-box">
          <div class="stack slip receipt">
            <span class="centre receipt-check">
              <Icon name="check" size={40} />
            </span>
            <h1 tabIndex={-1}>{payMessages().paying.paid(show(total), time)}</h1>
            <PixStatus class="visually-hidden">{payMessages().paying.paidAt(time)}</PixStatus>
            <p class="receipt-name">
              {[restaurant.value.name, table !== null && payMessages().paying.atTable(table)]
                .filter(Boolean)
                .join(', ')}
            </p>
            <dl class="receipt-facts">
              <Fact name={words.part} value={partText(payment, bill)} />
              {tip !== '0.00' && <Fact name={billMessages().tip} value={show(tip)} />}
              {seen?.confirmed_by != null && (
                <Fact name={words.confirmedBy} value={words.confirmers[seen.confirmed_by]} />
              )}
            </dl>
            {left !== null && (
              <p class="receipt-left">
                {left === '0.00' ? payMessages().paying.allPaid : payMessages().paying.left(show(left))}
              </p>
            )}
          </div>
        </div>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={() => replace({ page: 'bill' })}>
          {payMessages().paying.done}
        </Button>
      </footer>
    </div>
  );
}

/** Shows that a code can't be paid any more. If it was paid at the last moment, the page changes by itself. */
export const PixCodeOver = (props: EndedProps) => <Over {...props} title={pixMessages().endedTitle} />;

/** Shows how a payment has ended without money. A Pix that arrives late changes the page. */
export function PixEnded(props: EndedProps) {
  const words = pixMessages();
  const { replace } = useRouter();
  const { status, refund } = props.payment;
  if (status === 'refunding' || status === 'refunded')
    return (
      <PixLayout
        title={words.refunds[status]}
        dock={
          <Button kind="primary" size="large" onClick={() => replace({ page: 'bill' })}>
            {payMessages().paying.done}
          </Button>
        }
      >
        {refund?.method !== 'cash' && <p>{words.refundedText}</p>}
        <p>{words.refundedAsk}</p>
      </PixLayout>
    );
  return <Over {...props} title={status === 'cancelled' ? words.cancelledTitle : words.endedTitle} />;
}

function Over({ bills: { pix }, payment, bill, currency, title }: EndedProps & { title: string }) {
  const words = pixMessages();
  const { replace } = useRouter();
  const { seat } = useGuest();
  const { bill_id: billId, part, amount, tip, payer } = payment;
  const isOwn = payer !== null && seat.isOwn(payer.id);
  const code = pix.codeOf(payment.id);
  const isStaff = (code.kind === 'ready' ? code.charge.mode : pix.mode.value) === 'staff';
  const again = (): void => {
    pix.begin({ billId, currency, part, amount, tip });
    replace({ page: 'pay', part: 'pix' });
    void pix.reserve();
  };
  return (
    <PixLayout
      title={title}
      dock={
        <>
          {isOwn && bill?.status === 'open' && (
            <Button kind="primary" size="large" onClick={again}>
              {words.newCode}
            </Button>
          )}
          <Button onClick={() => replace({ page: 'pay' })}>{payMessages().paying.otherWay}</Button>
        </>
      }
    >
      <PixStatus class="dim pix-quiet">{words.endedText}</PixStatus>
      <Notice kind="info" icon="clock" title={words.alreadyPaid}>
        <p>{isStaff ? words.alreadyPaidStaff : words.alreadyPaidText}</p>
        {!isStaff && <p>{words.otherAmount}</p>}
      </Notice>
      {isStaff && <CallAfterPaying amount={payment.total} />}
    </PixLayout>
  );
}
