import { LazyPart } from '../../lazy-screen.tsx';
import type { WaiterSession } from '../waiter-session.ts';

/** Loads the pages before they are opened: then a payment is taken without a network. */
export const loadBillScreen = async () => (await import('./bill-screen.tsx')).BillScreen;
export type BillScreenProps = { session: WaiterSession; id: number; step: string };

/** The pages of a bill, whose script is loaded when one is opened. */
export const LateBill = (props: BillScreenProps) => <LazyPart load={loadBillScreen} {...props} />;
