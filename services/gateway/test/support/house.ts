import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import { untilReady, startTestAuthStepup } from '../../../auth-stepup/test/support/harness.ts';
import type { AuthStepup } from '../../../auth-stepup/test/support/harness.ts';
import { notifierSettings } from '../../../notifier/src/config.ts';
import { startNotifier } from '../../../notifier/src/service.ts';
import { ordersSettings } from '../../../orders/src/config.ts';
import { startOrders } from '../../../orders/src/service.ts';
import { transfersSettings } from '../../../transfers/src/config.ts';
import { startTransfers } from '../../../transfers/src/service.ts';
import { gatewaySettings } from '../../src/config.ts';
import { startGateway } from '../../src/service.ts';

type ServiceName = 'gateway' | 'orders' | 'auth-stepup' | 'transfers' | 'notifier';
export type House = {
  urls: Record<ServiceName, string>;
  auth: AuthStepup;
  close: () => Promise<void>;
};

/** All five services in this process, on real servers, ready, with limits that tests do not meet by chance. */
export async function startHouse(): Promise<House> {
  const logger = createLogger({ service: 'house', level: 'silent' });
  const auth = await startTestAuthStepup();
  const env = {
    ...auth.env,
    JWKS_URL: `${auth.url}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: auth.url,
    RATE_LIMIT_USER: '100000',
    RATE_LIMIT_ADDRESS: '100000',
    RATE_LIMIT_STEP_UP: '100000',
    DRAIN_WINDOW_MS: '0',
  };
  const { database } = auth.own;
  const [orders, transfers, notifier] = await Promise.all([
    startOrders(loadConfig(ordersSettings, { ...env, MONGODB_DATABASE: `${database}-orders` }), logger),
    startTransfers(loadConfig(transfersSettings, { ...env, MONGODB_DATABASE: `${database}-transfers` }), logger),
    startNotifier(loadConfig(notifierSettings, env), logger),
  ]);
  const behind = { ORDERS_URL: orders.url, TRANSFERS_URL: transfers.url, NOTIFIER_URL: notifier.url };
  const gateway = await startGateway(loadConfig(gatewaySettings, { ...env, ...behind }), logger);
  await Promise.all([orders, transfers, notifier, gateway].map(({ url }) => untilReady(url)));
  return {
    urls: {
      gateway: gateway.url,
      orders: orders.url,
      'auth-stepup': auth.url,
      transfers: transfers.url,
      notifier: notifier.url,
    },
    auth,
    close: async () => {
      await gateway.close();
      await Promise.all([orders.close(), transfers.close(), notifier.close()]);
      await auth.close();
    },
  };
}
