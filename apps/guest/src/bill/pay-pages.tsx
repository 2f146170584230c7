import { lazyModule } from '@comanda/ui/lazy.tsx';
import { LazyPage } from '../lazy-page.tsx';
import type { Route } from '../router.ts';
import type { Bills } from './bills.ts';
import { PayPage } from './pay-page.tsx';

const pinPayment = lazyModule(() => import('./pin-payment-page.tsx'));
const pix = lazyModule(() => import('./pix-page.tsx'));

type PayPagesProps = { bills: Bills; to: Extract<Route, { page: 'pay' }> };

/** The page for choosing what to pay, and those for paying it. */
export function PayPages({ bills, to }: PayPagesProps) {
  if (to.part === 'pix')
    return <LazyPage module={pix}>{({ PixPage }) => <PixPage bills={bills} id={to.id} />}</LazyPage>;
  if (to.part === 'pin')
    return <LazyPage module={pinPayment}>{({ PinPaymentPage }) => <PinPaymentPage bills={bills} />}</LazyPage>;
  return <PayPage bills={bills} />;
}
