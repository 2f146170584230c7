import { LazyPart } from '../../lazy-screen.tsx';
import type { WaiterSession } from '../waiter-session.ts';

/** Loads the pages before they are opened, so that a payment can be taken without a network. */
export const loadBillScreen = async () => (await import('./bill-screen.tsx')).BillScreen;
export type BillScreenProps = { session: WaiterSession; id: number; step: string };

/** The pages for a bill, whose script is loaded when one is opened. */
export const LateBill = (props: BillScreenProps) => <LazyPart load={loadBillScreen} {...props} />;
