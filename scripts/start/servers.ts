import { join } from 'node:path';
import { findServers, startServer, type Programs, type ServerName } from '@comanda/local-stack/servers/find-servers';
import { checkMongodb } from '@comanda/local-stack/servers/mongodb';
import { checkRabbitmq } from '@comanda/local-stack/servers/rabbitmq';
import { checkRedis } from '@comanda/local-stack/servers/redis';
import { isRefusal, refusal } from '@comanda/local-stack/servers/refusal';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';
import type { Server } from '@comanda/local-stack/servers/server';
import { settingOfServer, type StartOptions } from './arguments.ts';

/** A server's URL. If npm start runs the server, also a function that restarts it on the same port. */
export type ProvidedServer = {
  name: ServerName;
  url: string;
  ours?: { first: Server; startAgain: () => Promise<Server> };
};

const check = { mongodb: checkMongodb, redis: checkRedis, rabbitmq: checkRabbitmq };
export const titles = { mongodb: 'MongoDB', redis: 'Redis', rabbitmq: 'RabbitMQ' };

/**
 * Uses the servers whose URLs are given, and starts the others in parallel. Resolves when all of them have responded.
 * @throws Refusal that says which server isn't available and what to do
 */
export async function provideServers(options: {
  given: StartOptions['given'];
  programsDir: string;
  dataDir: string;
  logsDir: string;
  log: (line: string) => void;
  onSpawn: OnSpawn;
}): Promise<Record<ServerName, ProvidedServer>> {
  const { given, programsDir, log } = options;
  const names = ['mongodb', 'redis', 'rabbitmq'] as const;
  const missing = names.filter((name) => !given[name]);
  const programs = await findServers({ names: missing, programsDir, log });
  const provide = async (name: ServerName): Promise<ProvidedServer> => {
    const url = given[name];
    log(`${titles[name]}: ${url ? 'connecting to the given URL' : `starting ${programs[name]?.server}`}`);
    const server = url ? await connectToGiven(name, url) : await start(name, programs, options);
    log(`${titles[name]}: ${url ? 'connected' : `runs on port ${server.ours?.first.port}`}`);
    return server;
  };
  const [mongodb, redis, rabbitmq] = await Promise.all([provide('mongodb'), provide('redis'), provide('rabbitmq')]);
  return { mongodb, redis, rabbitmq };
}

async function connectToGiven(name: ServerName, url: string): Promise<ProvidedServer> {
  try {
    await check[name](url);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(
      `${titles[name]} does not answer at the URL in ${settingOfServer[name]}: ${why.replaceAll(url, 'it')}\n` +
        `Start that server, correct the URL, or unset ${settingOfServer[name]} so that npm start runs its own server.`,
      error,
    );
  }
  return { name, url };
}

type StartContext = { dataDir: string; logsDir: string; onSpawn: OnSpawn };

async function start(name: ServerName, programs: Partial<Programs>, context: StartContext): Promise<ProvidedServer> {
  const startOn = (port?: number): Promise<Server> =>
    startServer(name, programs, {
      dataDir: join(context.dataDir, name),
      logFile: join(context.logsDir, `${name}.log`),
      onSpawn: context.onSpawn,
      port,
    });
  try {
    const first = await startOn();
    return { name, url: first.url, ours: { first, startAgain: () => startOn(first.port) } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refusal(
      `${error.message}\nIf its data in ${join(context.dataDir, name)} is damaged, delete the data and start again:   npm start -- --reset`,
      error,
    );
  }
}
