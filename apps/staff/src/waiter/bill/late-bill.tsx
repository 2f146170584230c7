import { LazyPart } from '../../lazy-screen.tsx';
import type { WaiterSession } from '../waiter-session.ts';

/** Loads the script of a bill's pages. It is called early, so that payments can be recorded without a network. */
export const loadBillScreen = async () => (await import('./bill-screen.tsx')).BillScreen;
export type BillScreenProps = {
  session: WaiterSession;
  id: number;
  /** `pay` for the page that records a payment, `pix` for a Pix code; otherwise empty. */
  step: string;
  /** The payment method that the guests have asked for, or the id of the payment by Pix; otherwise empty. */
  method: string;
  /** The amount that a guest wants to pay, with the tip; otherwise empty. */
  amount: string;
};

/** The pages for a bill, whose script is loaded when a bill is first opened. */
export const LateBill = (props: BillScreenProps) => <LazyPart load={loadBillScreen} {...props} />;
