/** What is stored, as far as a page shows it. The services own these shapes. */
type Actor = { id: number; name: string; role: string };
type Message = { type: string; time: Date };
type Decimal = { toString: () => string };

export type OrderDocument = {
  _id: number;
  usuarioID: number;
  dataHora: Date;
  status: string;
  itens: {
    itemPedidoID: number;
    quantidade: number;
    observacoes: string;
    name: string;
    unit_price: Decimal;
    station: string;
    status: string;
    delivered_at: Date | null;
    /** What its station has shown and read; of all stations, in orders of earlier releases, the order has it. */
    seen_at?: Date;
    seen_on?: string;
    allergies_read_at?: Date;
  }[];
  placed_by_staff?: boolean;
  bill_id?: number;
  original_bill_id?: number;
  ticket: number;
  table: string | null;
  seating: number | null;
  original_table: string | null;
  version: number;
  allergies: string | null;
  seen_at: Date | null;
  seen_on?: string;
  allergies_read_at?: Date;
  currency: string;
  updated_at: Date;
  idempotency_key?: string;
  history: {
    at: Date;
    actor: Actor;
    what: string;
    from: string | null;
    to: string;
    item_id?: number;
    reason?: string;
    version: number;
  }[];
  outbox?: Message[];
};

export type PaymentDocument = {
  id: number;
  method: string;
  status: string;
  amount: Decimal;
  tip: Decimal;
  payer?: { id: number; name: string };
  expires_at?: Date;
  transfer_id?: number;
  refund_transfer_id?: number;
  recorded_by: Actor;
  created_at: Date;
  settled_at: Date | null;
  refunded_at: Date | null;
};
export type BillDocument = {
  _id: number;
  status: string;
  version: number;
  number: number | null;
  table: string | null;
  currency: string;
  payments: PaymentDocument[];
  merged_into: number | null;
  closed_at: Date | null;
  outbox?: Message[];
};

export type EntryDocument = {
  account: number;
  seq: number;
  amount: bigint;
  balance: bigint;
  prev: string;
  hash: string;
};
export type JournalDocument = {
  _id: number;
  status: 'posted' | 'refused';
  user_id: number;
  jti: string;
  pin_version: number;
  idempotency_key?: string;
  created_at: Date;
  code?: string;
  kind?: string;
  payment_id?: number;
  from_account?: number;
  to_account?: number;
  amount?: bigint;
  currency?: string;
  description?: string | null;
  consent?: string;
  entries?: EntryDocument[];
  receipt?: string;
  outbox?: Message[];
};
export type AccountDocument = { _id: number; owner_id: number | null; purpose?: string };
export type AttemptDocument = { _id: string; payment_id: number; purpose: string; next_at: Date };
export type SecurityEventDocument = { user_id: number; type: string; time: Date; jti?: string };
