import type { ComponentChildren } from 'preact';
import { formatMoney } from '@comanda/ui/format.ts';
import { Money } from '@comanda/ui/money.tsx';
import { AccountHead } from '../account/account-head.tsx';
import { useRouter } from '../contexts.ts';
import { pinMessages } from './pin-messages.ts';
import type { PinPayment } from './pin-payment.ts';
import { tipAmountOf, totalOf, type KeptPayment } from './pin-payment-state.ts';
import { payMessages } from './messages.ts';

export type StepProps = {
  pinPayment: PinPayment;
  kept: KeptPayment;
  /** The restaurant's name, which is the payee; null if it could not be loaded. */
  restaurant: string | null;
};

type StepPageProps = { title: string; children: ComponentChildren; dock?: ComponentChildren };

/** One step of a payment, with a link back to the page for selecting what to pay. */
export function StepPage({ title, children, dock }: StepPageProps) {
  return (
    <div class="page">
      <BackToPart />
      <main class="page-main account-main">
        <h1 class="account-h1" tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
      {dock !== undefined && <footer class="dock">{dock}</footer>}
    </div>
  );
}

export function BackToPart() {
  const { goBack } = useRouter();
  return <AccountHead back={pinMessages().change} onBack={() => goBack({ page: 'pay' })} />;
}

/** Announces the payment's status to screen readers. It is one line, in the same place on every step. */
export const PaymentStatus = ({ children, class: className }: { children: string; class?: string }) => (
  <p class={className ?? 'pin-payment-status'} role="status" aria-label={payMessages().paying.title}>
    {children}
  </p>
);

/** Shows the amount with the tip, the payee and the table. */
export function PaymentTerms({ kept, restaurant }: Pick<StepProps, 'kept' | 'restaurant'>) {
  const words = pinMessages();
  const { plan, accountId } = kept;
  const tip = tipAmountOf(plan);
  const table = plan.table === null ? null : payMessages().paying.atTable(plan.table);
  const quiet = [
    tip !== '0.00' && payMessages().paying.withTip(formatMoney(tip, plan.currency)),
    accountId !== null && words.fromAccount(accountId),
  ].filter(Boolean);
  return (
    <div class="terms">
      <p class="terms-quiet">{payMessages().paying.youPay}</p>
      <Money as="p" class="terms-amount">
        {formatMoney(totalOf(plan), plan.currency)}
      </Money>
      <p class="terms-payee pin-payment-payee">
        {words.to} <strong>{[restaurant, table].filter(Boolean).join(', ')}</strong>
      </p>
      <p class="terms-quiet">{quiet.join(', ')}</p>
    </div>
  );
}
