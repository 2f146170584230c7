// The baseline in order-saturation: the orders service without MongoDB or the outbox. It has the same contract, token check and
// event, and responds when the broker has confirmed the event. Needs JWKS_URL, RABBITMQ_URL and SERVICE_SECRET. Prints its URL.
import { placeOrder } from '@comanda/contracts/orders';
import { noTraces } from '@comanda/shared/tracing/tracer';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createPublisher, toMessage } from '@comanda/shared/messaging/publisher';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { env } from './tokens.ts';

const logger = createLogger({ service: 'orders-without-store', level: 'warn' });
const publisher = createPublisher({ url: env('RABBITMQ_URL'), name: 'orders-without-store', logger });
const tokens = createTokenVerifier({
  jwksUrl: env('JWKS_URL'),
  service: { name: 'orders', secret: env('SERVICE_SECRET') },
  issuer: 'comanda',
  audience: 'comanda',
  logger,
});
const api = createApi({
  tracer: noTraces,
  version: '0.0.0',
  logger,
  metrics: createMetrics('orders-without-store'),
  tokens,
  translate: [],
  dependencies: [],
});
let id = 1_000_000_000;

api.handle(placeOrder, async ({ caller, body }) => {
  id++;
  const now = new Date().toISOString();
  const order = {
    id,
    ticket: id,
    table: body.table ?? null,
    seating: null,
    status: 'received' as const,
    version: 1,
    allergies: null,
    seen_at: null,
    delivered_at: null,
    items: body.items.map(({ name = 'Feijoada', quantity, remarks = '' }, index) => ({
      id: id * 50 + index,
      item_id: 1,
      name,
      quantity,
      remarks,
      unit_price: '32.50',
      station: 'kitchen',
      status: 'received' as const,
    })),
    total: '65.00',
    currency: 'BRL',
    placed_by: { id: caller.userId, name: caller.name },
    created_at: now,
    updated_at: now,
  };
  await publisher.publish([
    toMessage({
      specversion: '1.0',
      id: crypto.randomUUID(),
      source: '/orders',
      type: 'order.created',
      subject: String(id),
      time: now,
      datacontenttype: 'application/json',
      data: { order },
    }),
  ]);
  return {
    status: 201,
    body: { ...order, allowed_transitions: ['preparing' as const, 'cancelled' as const] },
    headers: { Location: `/orders/${id}`, ETag: '"1"' },
  };
});
const { url } = await serve(api.app, { port: 0, host: '127.0.0.1' });
console.log(url);
