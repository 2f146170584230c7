import type { ConfigOf, Settings } from '../config/load-config.ts';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';

/** A started service: where it listens, and how it ends. */
export type Running = { url: string; close: () => Promise<void> };
type CloseStep = { what: string; close: () => Promise<void> | void; timeoutMs?: number };

/**
 * Closes one after the other, in the order given (doors first, connections last). A step that fails or takes longer
 * than `timeoutMs` (5,000) is logged and passed over, so that the rest still closes.
 */
export async function closeInOrder(steps: readonly CloseStep[], logger: Logger): Promise<void> {
  for (const { what, close, timeoutMs = 5000 } of steps) {
    try {
      await within(Promise.resolve().then(close), timeoutMs);
    } catch (error) {
      logger.error({ err: error, what }, 'could not close in order');
    }
  }
}

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not closed after ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Service<S extends Settings> = {
  name: string;
  env: NodeJS.ProcessEnv;
  settings: S;
  start: (config: ConfigOf<S>, logger: Logger) => Promise<Running>;
};

/**
 * What every `main.ts` does: settings (exit 78, EX_CONFIG, with all that is wrong), start, and one ordered close on
 * SIGTERM or SIGINT, of at most 20 s. An error that nobody caught is logged; it does not decide whether the process lives.
 */
export async function runService<S extends Settings>({ name, env, settings, start }: Service<S>): Promise<void> {
  let config: ConfigOf<S>;
  try {
    config = loadConfig(settings, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 78;
    return;
  }
  const logger = createLogger({ service: name, level: String(config['logLevel'] ?? 'info') });
  process.on('uncaughtException', (error) => logger.fatal({ err: error }, 'uncaught exception'));
  process.on('unhandledRejection', (error) => logger.fatal({ err: error }, 'unhandled rejection'));
  let running: Running;
  try {
    running = await start(config, logger);
    forgetLoading();
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
  logger.info({ url: running.url, pid: process.pid, node: process.version }, 'listening');
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'closing');
    void closeInOrder([{ what: name, close: running.close, timeoutMs: 20_000 }], logger).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/**
 * Gives back what loading has left, which else stays as long as little happens. It takes a good 0.1 s in which nothing
 * else runs. Only with `--expose-gc`, as the images have it.
 */
function forgetLoading(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
