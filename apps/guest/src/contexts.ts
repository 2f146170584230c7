import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { GuestSession } from './guest-session.ts';
import type { OrderSession } from './order/order-session.ts';
import type { Router } from './router.ts';

const none = (): never => {
  throw new Error('This part of the page is outside of the app.');
};
export const GuestContext = createContext<GuestSession | null>(null);
export const RouterContext = createContext<Router | null>(null);
export const useGuest = (): GuestSession => useContext(GuestContext) ?? none();
/** For components in the part of the app that opens the orders. */
export const useOrderSession = (): OrderSession => useGuest().orderSession.value ?? none();
export const useRouter = (): Router => useContext(RouterContext) ?? none();
