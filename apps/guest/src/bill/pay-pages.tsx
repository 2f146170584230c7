import { createLatePart, ShownPart } from '../late-part.tsx';
import type { Route } from '../router.ts';
import type { Bills } from './bills.ts';
import { PayPage } from './pay-page.tsx';

const pinPayment = createLatePart(() => import('./pin-payment-page.tsx'));
const pix = createLatePart(() => import('./pix-page.tsx'));

type PayPagesProps = { bills: Bills; to: Extract<Route, { page: 'pay' }> };

/** The page for choosing what to pay, and those for paying it. */
export function PayPages({ bills, to }: PayPagesProps) {
  if (to.part === 'pix')
    return <ShownPart part={pix}>{({ PixPage }) => <PixPage bills={bills} id={to.id} />}</ShownPart>;
  if (to.part === 'pin')
    return <ShownPart part={pinPayment}>{({ PinPaymentPage }) => <PinPaymentPage bills={bills} />}</ShownPart>;
  return <PayPage bills={bills} />;
}
