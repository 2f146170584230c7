import type { Who } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { TableCall } from '@comanda/contracts/calls';
import type { Exception, ExceptionKind } from '@comanda/contracts/exceptions';
import type { MenuItem } from '@comanda/contracts/menu';
import type { Order } from '@comanda/contracts/order';
import type { Account } from '@comanda/contracts/accounts';
import type { Transfer } from '@comanda/contracts/transfers';
import type { Table } from '@comanda/contracts/tables';
import type { User } from '@comanda/contracts/users';
import { menu, minutesAgo, quietAnswers } from '@comanda/testing/stand/data';
import { fails, never, type State } from '@comanda/testing/stand/state';

const currency = 'BRL';
const marta: Who = { userId: 1, role: 'manager', name: 'Marta' };

export const newTable = (table: string, differs: Partial<Table> = {}): Table => ({
  table,
  status: 'free',
  seating: null,
  seated_at: null,
  version: 1,
  table_token: `token-${table}`,
  url: `https://comanda.example/?table=token-${table}`,
  rotated_at: minutesAgo(90),
  ...differs,
});
export const newUser = (id: number, differs: Partial<User> = {}): User => ({
  id,
  name: `Person ${id}`,
  email: `person-${id}@example.test`,
  role: 'waiter',
  status: 'active',
  must_change_password: false,
  invited_until: null,
  created_at: minutesAgo(600),
  ...differs,
});
export const newAccount = (differs: Partial<Account> = {}): Account => ({
  id: 21,
  name: 'Conta',
  owner_id: 5,
  owner_name: 'Lia',
  purpose: 'personal',
  balance: '100.00',
  currency,
  created_at: minutesAgo(600),
  ...differs,
});
export const newDeposit = (differs: Partial<Transfer> = {}): Transfer => ({
  id: 310,
  from_account_id: 1,
  to_account_id: 21,
  amount: '50.00',
  currency,
  description: null,
  kind: 'account_deposit',
  payment_id: null,
  status: 'posted',
  receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
  created_at: minutesAgo(0),
  ...differs,
});
export const newException = (kind: ExceptionKind, differs: Partial<Exception> = {}): Exception => ({
  id: 5000,
  day: null,
  at: minutesAgo(5),
  kind,
  bill_id: 312,
  line_id: null,
  name: null,
  amount: '62.00',
  by: { id: 2, name: 'Wagner' },
  reason: null,
  ...differs,
});

/** Creates a cash payment that was made a minute ago. */
export const newPayment = (differs: Partial<BillPayment> = {}): BillPayment => ({
  id: 77,
  bill_id: 312,
  method: 'cash',
  status: 'paid',
  part: { rest: true },
  amount: '62.00',
  tip: '0.00',
  total: '62.00',
  received: null,
  change: null,
  reference: null,
  payer: null,
  transfer_id: null,
  expires_at: null,
  recorded_by: { id: 2, role: 'waiter' },
  created_at: minutesAgo(1),
  settled_at: minutesAgo(1),
  refund: null,
  ...differs,
});
/** Creates a call in which table 12 asked for the bill four minutes ago. */
export const newCall = (differs: Partial<TableCall> = {}): TableCall => ({
  id: 51,
  kind: 'bill',
  note: null,
  method: 'card',
  table: '12',
  seating: 88,
  status: 'open',
  version: 1,
  placed_by: { id: 7, role: 'customer' },
  taken_by: null,
  created_at: minutesAgo(4),
  taken_at: null,
  done_at: null,
  ...differs,
});

type More = Partial<State> & {
  orders?: readonly Order[];
  bills?: readonly Bill[];
  dishes?: readonly MenuItem[];
  tables?: readonly Table[];
  users?: readonly User[];
};
/** Returns the state of a signed-in manager with a PIN. */
export const managing = (more: More = {}): State => {
  const { who = marta, orders = [], bills = [], dishes = menu, tables = [], users = [], answers, ...others } = more;
  return {
    who,
    ...others,
    answers: {
      ...quietAnswers,
      me: never,
      listMenu: [...dishes],
      listOrders: [...orders],
      listBills: [...bills],
      listTables: [...tables],
      listUsers: [newUser(marta.userId, { name: marta.name, role: 'manager' }), ...users],
      listStations: [],
      getWifi: { wifi: null, version: 1 },
      listScreens: [],
      listTablets: [],
      listExceptions: [],
      listCounts: [],
      listMovements: [],
      auditTrail: [],
      transactionPassword: { status: 'usable', created_at: minutesAgo(600), attempts_remaining: 3 },
      ...answers,
    },
  };
};

const stepUp = { step_up_token: 'token', token_type: 'step-up', endpoint_key: 'any', expires_in: 60 } as const;
/** The server requires the PIN for the first call, then sends this reply. */
export const afterPin = <T>(reply: T) => ({ turns: [fails('step_up_required'), reply] as const, stepUp });
