import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Money } from '@comanda/ui/money.tsx';
import type { ComponentChildren } from 'preact';
import { CallButton } from '../call/call-button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { restaurant } from '../restaurant.ts';
import { partText, payerOf } from './part-text.ts';
import { pixMessages } from './pix-messages.ts';
import { payMessages } from './messages.ts';

type PixLayoutProps = { title: string; /** True if screen readers alone get the title. */ isTitleSpoken?: boolean };

/** A step of a payment by Pix, with the way back to the bill. */
export function PixLayout({
  title,
  isTitleSpoken = false,
  dock,
  children,
}: PixLayoutProps & { dock?: ComponentChildren; children: ComponentChildren }) {
  const { replace } = useRouter();
  return (
    <div class="page">
      <header class="page-head">
        <button type="button" class="back-link" onClick={() => replace({ page: 'bill' })}>
          <Icon name="back" />
          {payMessages().toBill}
        </button>
        <CallButton />
      </header>
      <main class="stack gap-4 page-main pix-main">
        <h1 class={isTitleSpoken ? 'visually-hidden' : 'pix-title'} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      {dock !== undefined && <footer class="dock">{dock}</footer>}
    </div>
  );
}

/** Announces the payment's status to screen readers. */
export const PixStatus = ({ children, class: className }: { children: string; class: string }) => (
  <p class={className} role="status" aria-label={payMessages().paying.title}>
    {children}
  </p>
);

export type PixTermsProps = {
  payment: BillPayment;
  /** Null if it isn't loaded. */ bill: Bill | null;
  currency: string;
};

/** Shows who pays how much, to whom, and for which part. */
export function PixTerms({ payment, bill, currency }: PixTermsProps) {
  const words = pixMessages();
  const { seat } = useGuest();
  const { payer, total, tip } = payment;
  const name = payerOf(payment, bill, seat.isOwn);
  const table = bill?.table ?? seat.table.value;
  const payee = [restaurant.value.name, table !== null && payMessages().paying.atTable(table)]
    .filter(Boolean)
    .join(', ');
  return (
    <div class="terms">
      <p class="terms-quiet">
        {name === null || seat.isOwn(payer?.id ?? 0) ? payMessages().paying.youPay : words.pays(name)}
      </p>
      <Money as="p" class="terms-amount">
        {formatMoney(total, currency)}
      </Money>
      {payee !== '' && (
        <p class="pix-payee">
          {words.to} <strong>{payee}</strong>
        </p>
      )}
      <p class="terms-quiet">
        {[partText(payment, bill), tip !== '0.00' && payMessages().paying.withTip(formatMoney(tip, currency))]
          .filter(Boolean)
          .join(', ')}
      </p>
    </div>
  );
}
