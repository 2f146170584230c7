import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConfigOf, type Settings, ConfigError, loadConfig } from '../config/load-config.ts';
import type { Drain } from './drain.ts';
import { createLogger, type Logger } from './logger.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';

/** A running service: the URLs where it listens, and how to stop it. */
export type Running = {
  url: string;
  /** The URL of the service's metrics, if they are on a separate port. */
  metricsUrl?: string;
  /** Begins `DRAIN_DELAY_MS` milliseconds before `close` is called. */
  drain?: Drain;
  close: () => Promise<void>;
};

type Service<S extends Settings> = {
  name: string;
  version: string;
  env: NodeJS.ProcessEnv;
  settings: S;
  start: (config: ConfigOf<S>, logger: Logger) => Promise<Running>;
};

const closeTimeoutMs = 20_000;
const closeAfterFailureMs = 5000;
/** The exit code for invalid settings (EX_CONFIG). */
const wrongSettings = 78;

/**
 * Runs a service. Every `main.ts` calls this. Loads the settings and starts the service. If settings are invalid, logs all errors
 * and exits with code 78 (EX_CONFIG). On SIGTERM or SIGINT, drains the service for `DRAIN_DELAY_MS` milliseconds, closes it
 * within 20 s, and exits with code 0.
 *
 * After an uncaught exception or an unhandled rejection, the state of the process is unknown. The error is logged, the service
 * closes within 5 s, and the process exits with code 1, so that its supervisor restarts it. The last line of the log is always
 * `closed`.
 */
export async function runService<S extends Settings>(service: Service<S>): Promise<void> {
  const { name, version, env, settings, start } = service;
  let config: ConfigOf<S>;
  try {
    config = loadConfig(settings, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = wrongSettings;
    return;
  }
  // The host name is the pod's name in Kubernetes, and the container's id in other containers.
  const instance = hostname();
  const logger = createLogger({ service: name, version, instance, level: String(config['logLevel'] ?? 'info') });
  const shutdown = createShutdown(logger);
  const fail = endAfterFailure(shutdown, logger);
  process.on('uncaughtException', (error) => fail(error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => fail(reason, 'unhandled rejection'));
  let drain: Drain | undefined;
  try {
    const running = await start(config, logger);
    const { url, metricsUrl, close } = running;
    drain = running.drain;
    shutdown.add(name, close, { timeoutMs: closeTimeoutMs });
    collectGarbage();
    // The log shows the address from the settings, because `url` is only for callers on this machine.
    const address = {
      host: config['host'],
      port: Number(new URL(url).port),
      ...(metricsUrl !== undefined && { metrics_port: Number(new URL(metricsUrl).port) }),
    };
    logger.info({ ...address, pid: process.pid, node: process.version }, 'listening');
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.exit(error instanceof ConfigError ? wrongSettings : 1);
  }
  const drainDelayMs = Number(config['drainDelayMs'] ?? 0);
  const closeAndExit = async (): Promise<never> => {
    drain?.begin();
    if (drainDelayMs > 0) await delay(drainDelayMs);
    return await end(shutdown, logger);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    logger.info({ signal, ...(drainDelayMs > 0 && { drain_ms: drainDelayMs }) }, 'closing');
    void closeAndExit();
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
}

/** Returns a function that logs every failure. The first failure closes the service and ends the process. */
function endAfterFailure(shutdown: Shutdown, logger: Logger) {
  let hasFailed = false;
  return (error: unknown, what: string): void => {
    logger.fatal({ err: error }, what);
    if (hasFailed) return;
    hasFailed = true;
    process.exitCode = 1;
    setTimeout(() => process.exit(), closeAfterFailureMs);
    void end(shutdown, logger);
  };
}

/**
 * Closes everything and ends the process, with exit code 1 if something has failed. First logs that everything is closed, because
 * Node may hang after that (nodejs/node#54918). If the supervisor then kills the process, nothing is lost.
 */
async function end(shutdown: Shutdown, logger: Logger): Promise<never> {
  await shutdown.close();
  logger.info('closed');
  process.exit();
}

/**
 * Frees memory that was needed only to load the modules, and that an idle service would otherwise keep. This blocks the process
 * for about 0.1 s. Does nothing without `--expose-gc`, which the container images set.
 */
function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
