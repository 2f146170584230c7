import mongoose from 'mongoose';
import type { OrderStatus } from '@comanda/contracts/orders';

const { Decimal128 } = mongoose.mongo;

/** An order as it is stored, one a second since some day; every seventh is of table 12. */
export function storedOrder(id: number, status: OrderStatus = 'received') {
  const at = new Date(1_700_000_000_000 + id * 1000);
  return {
    _id: id,
    pedidoID: id,
    usuarioID: 1 + (id % 1000),
    dataHora: at,
    status,
    itens: [
      {
        itemPedidoID: id,
        itemID: 1,
        quantidade: 2,
        observacoes: '',
        name: 'Feijoada',
        unit_price: Decimal128.fromString('32.50'),
        station: 'kitchen',
        status,
        holds_portions: false,
        delivered_at: null,
      },
    ],
    owner_name: 'Ana',
    ticket: id,
    table: id % 7 === 0 ? '12' : String(id % 40),
    seating: null,
    original_table: '12',
    original_seating: null,
    version: 1,
    changed_version: 1,
    allergies: null,
    seen_at: null,
    currency: 'BRL',
    delivered_at: null,
    updated_at: at,
    history: [],
    outbox: [],
  };
}
