import type { Sealer } from '@comanda/shared/crypto/seal';
import type { Signer } from '@comanda/shared/crypto/statement';
import { createKeySet } from '@comanda/shared/http/key-set';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';
import type { Outbox, OutboxStore } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import type { MongoLink } from '@comanda/shared/mongo/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Dependency } from '@comanda/shared/runtime/dependency';
import { every } from '@comanda/shared/runtime/every';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import type { Shutdown } from '@comanda/shared/runtime/shutdown';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import type { TransfersConfig } from '../config.ts';
import { startAskingBank } from './ask-bank.ts';
import { askOrdersAboutPix } from './ask-orders.ts';
import { createBankConnection } from './bank-connection.ts';
import { createBank } from './bank.ts';
import { createChargeStore } from './charge-store.ts';
import { createMarkStore } from './mark-store.ts';
import { createPixMetrics, openStates } from './pix-metrics.ts';
import { readBankSettings } from './pix-settings.ts';
import { pixReceiptSchema } from './receipt-document.ts';
import { createReceiptStore } from './receipt-store.ts';
import { createConsentVerifier } from './verify-consent.ts';

type Options = {
  config: TransfersConfig;
  connection: MongoLink['connection'];
  isUp: () => boolean;
  openOutbox: (name: string, store: OutboxStore) => Outbox;
  service: ServiceIdentity;
  signer: () => Signer;
  sealer: Sealer;
  tracer: Tracer;
  metrics: Metrics;
  shutdown: Shutdown;
  clock: Clock;
  logger: Logger;
};

const countEveryMs = 15_000;

/**
 * Opens everything about Pix, and starts asking the bank if there is one. Returns what the routes need, and the bank as a
 * dependency.
 * @throws ConfigError
 */
export function openPix({ config, connection, isUp, openOutbox, shutdown, clock, logger, ...options }: Options) {
  const { service, signer, sealer, tracer } = options;
  const { pixMode: mode, pixKey, pixName, pixCity, pixAskEveryS: askEveryS, jwksUrl } = config;
  const settings = readBankSettings(config, { isProduction: config.nodeEnv === 'production' });
  const metrics = createPixMetrics(options.metrics, { bank: settings, clock });
  const outboxStore = createOutboxStore(connection.collection(pixReceiptSchema.get('collection') ?? ''), clock);
  const { publishNow } = openOutbox('pix', outboxStore);
  const charges = createChargeStore(connection, { sealer, logger });
  const receipts = createReceiptStore(connection, { publishNow, clock });
  const marks = createMarkStore(connection);
  const orders = askOrdersAboutPix(config.ordersUrl, { service, tracer });
  shutdown.add('orders, about Pix', orders.close);
  const consentKeys = createKeySet({ jwksUrl, service, purpose: 'consents', logger });
  shutdown.add('consent keys', consentKeys.close);

  const bank = settings && createBank(createBankConnection(settings, clock));
  const verifyConsent = createConsentVerifier(consentKeys);
  const advance = bank && { bank, receipts, orders, verifyConsent, signer, pixKey, clock, logger };
  const asking = advance && startAskingBank({ ...advance, charges, marks, askEveryS, isUp });
  if (asking) shutdown.add('the bank', asking.close);
  const counting = every({
    run: async () => metrics.setCounts(await receipts.countByState(openStates), bank ? await marks.findRead() : null),
    everyMs: countEveryMs,
    isReady: isUp,
    logger,
    failure: 'Pix could not be counted',
  });
  shutdown.add('count of Pix', counting.close);
  const dependencies: Dependency[] = bank
    ? [{ name: 'pix_bank', need: 'soft', isUp: bank.isUp, warnings: metrics.warnings }]
    : [];
  return {
    dependencies,
    routes: {
      mode,
      receiver: { key: pixKey, name: pixName, city: pixCity },
      bank,
      charges,
      receipts,
      orders,
      advance,
      asking,
      countCharge: createLocalCounter({ windowMs: 60_000, clock }),
      metrics,
      signer,
    },
  };
}
