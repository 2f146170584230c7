import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@comanda/local-stack/root';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { loadConfig, type Settings } from '@comanda/shared/config/load-config';
import type { Preparation } from '@comanda/shared/mongo/prepare-database';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { RunningService } from './service-process.ts';
import { testResponseTimeLimitMs } from './patient.ts';
import { prepareFor } from './prepare.ts';
import { createTestLogger } from './test-logger.ts';
import { testServiceSettings } from './test-secrets.ts';
import { untilReady } from './until-ready.ts';

type Start = (config: object, logger: Logger, options?: object) => Promise<Running>;

/**
 * The names under which each service's source files export its settings, its start function and, if it has a database, the
 * preparation.
 */
const exported: Record<ServiceName, { settings: string; start: string; preparation?: string; options?: object }> = {
  'auth-stepup': {
    settings: 'authStepupSettings',
    start: 'startAuthStepup',
    preparation: 'authStepupPreparation',
  },
  orders: {
    settings: 'ordersSettings',
    start: 'startOrders',
    preparation: 'ordersPreparation',
    options: { responseTimeLimitMs: testResponseTimeLimitMs },
  },
  transfers: {
    settings: 'transfersSettings',
    start: 'startTransfers',
    preparation: 'transfersPreparation',
    options: { responseTimeLimitMs: testResponseTimeLimitMs },
  },
  notifier: { settings: 'notifierSettings', start: 'startNotifier' },
  gateway: { settings: 'gatewaySettings', start: 'startGateway' },
};

/** Imports a service's source file by its path, because this package must not depend on the services. */
export const importOf = async (service: ServiceName, file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(root, 'services', service, file)).href)) as Record<string, unknown>;

/** Environment variables that have an effect only in a separate process. */
const forNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

type StartHere = { start?: Start; env: Record<string, string> };

/**
 * Prepares a service's database and starts the service in this process, with the same settings as `startServiceProcess`. This
 * saves CPU time, because all test files in a worker share the imported modules and the code that V8 has compiled. A test that
 * kills, stops, signals or measures a service must use `startServiceProcess` instead.
 */
export async function startServiceHere(name: ServiceName, { env, start }: StartHere): Promise<RunningService> {
  const missed = forNode.find((variable) => variable in env);
  if (missed !== undefined)
    throw new Error(`${name} runs in this process, which has no ${missed} of its own: start a process`);
  const { settings, start: startName, preparation, options } = exported[name];
  const config: { logLevel?: string } = loadConfig((await importOf(name, 'src/config.ts'))[settings] as Settings, {
    NODE_ENV: 'test',
    ...testServiceSettings(name),
    ...env,
    METRICS_PORT: '0',
    METRICS_AGE_MS: '0',
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
  });
  if (preparation !== undefined) {
    const { [preparation]: needed } = await importOf(name, 'src/preparation.ts');
    await prepareFor(config as never, needed as Preparation);
  }
  const lines: string[] = [];
  const onLine = (line: string): void => void lines.push(line);
  const logger = createTestLogger(name, { level: config.logLevel ?? 'info', onLine });
  const startService = start ?? ((await importOf(name, 'src/service.ts'))[startName] as Start);
  const { url, metricsUrl = url, close } = await startService(config, logger, options);
  return { url, metricsUrl, output: () => lines.join(''), ready: () => untilReady(url), close };
}
