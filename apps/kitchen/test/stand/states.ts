import type { Who } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { Order } from '@comanda/contracts/orders';
import { quietAnswers } from '@comanda/testing/stand/data';
import { never, type State } from '@comanda/testing/stand/state';

const waiter: Who = { userId: 2, role: 'waiter', name: 'Wagner' };
type More = Partial<State> & { orders?: readonly Order[]; bills?: readonly Bill[] };

/** Somebody of the staff has signed in. */
export const onDuty = ({ who = waiter, orders = [], bills = [], answers, ...more }: More = {}): State => ({
  who,
  ...more,
  answers: {
    ...quietAnswers,
    me: never,
    listOrders: [...orders],
    listBills: [...bills],
    listStations: [],
    listTables: [],
    markSeen: never,
    reportScreen: never,
    ...answers,
  },
});
/** The same in the middle of a shift: the board shows the tickets. */
export const onShift = (more: More = {}): State => {
  const state = onDuty(more);
  return { ...state, tab: { 'comanda.kitchen.shift': String(state.who?.userId), ...state.tab } };
};
