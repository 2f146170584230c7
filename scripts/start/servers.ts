import { join } from 'node:path';
import { findServers, startServer, type Programs, type ServerName } from '../servers/find-servers.ts';
import { checkMongodb } from '../servers/mongodb.ts';
import { checkRabbitmq } from '../servers/rabbitmq.ts';
import { checkRedis } from '../servers/redis.ts';
import { isRefusal, refusal } from '../servers/refusal.ts';
import type { OnSpawn } from '../servers/server-process.ts';
import type { Server } from '../servers/server.ts';
import type { StartOptions } from './arguments.ts';

/** Where a server is, and how to start it again on the same port if it is ours. */
export type FoundServer = {
  name: ServerName;
  url: string;
  ours?: { first: Server; startAgain: () => Promise<Server> };
};

const check = { mongodb: checkMongodb, redis: checkRedis, rabbitmq: checkRabbitmq };
const variables = { mongodb: 'MONGODB_URI', redis: 'REDIS_URL', rabbitmq: 'RABBITMQ_URL' };
export const titles = { mongodb: 'MongoDB', redis: 'Redis', rabbitmq: 'RabbitMQ' };

/**
 * Takes the servers that were given and starts the others, all at once. Resolves when each has answered.
 * @throws Refusal that says which of them is not to be had, and what to do
 */
export async function provideServers(options: {
  given: StartOptions['given'];
  programsDir: string;
  dataDir: string;
  logsDir: string;
  log: (line: string) => void;
  onSpawn: OnSpawn;
}): Promise<Record<ServerName, FoundServer>> {
  const { given, programsDir, log } = options;
  const names = ['mongodb', 'redis', 'rabbitmq'] as const;
  const missing = names.filter((name) => !given[name]);
  const programs = await findServers({ names: missing, programsDir, log });
  const provide = async (name: ServerName): Promise<FoundServer> => {
    const url = given[name];
    log(`${titles[name]}: ${url ? 'asking the one that was given' : `starting ${programs[name]?.server}`}`);
    const found = url ? await take(name, url) : await start(name, programs, options);
    log(`${titles[name]}: ${url ? 'the one that was given answers' : `runs on port ${found.ours?.first.port}`}`);
    return found;
  };
  const [mongodb, redis, rabbitmq] = await Promise.all([provide('mongodb'), provide('redis'), provide('rabbitmq')]);
  return { mongodb, redis, rabbitmq };
}

async function take(name: ServerName, url: string): Promise<FoundServer> {
  try {
    await check[name](url);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(
      `${titles[name]} does not answer at the URL that ${variables[name]} gives: ${why.replaceAll(url, 'it')}\n` +
        `Start that server or mend the URL, or unset ${variables[name]}: then npm start runs one of its own.`,
      error,
    );
  }
  return { name, url };
}

type StartContext = { dataDir: string; logsDir: string; onSpawn: OnSpawn };

async function start(name: ServerName, programs: Partial<Programs>, context: StartContext): Promise<FoundServer> {
  const at = (port?: number): Promise<Server> =>
    startServer(name, programs, {
      dataDir: join(context.dataDir, name),
      logFile: join(context.logsDir, `${name}.log`),
      onSpawn: context.onSpawn,
      port,
    });
  try {
    const first = await at();
    return { name, url: first.url, ours: { first, startAgain: () => at(first.port) } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refusal(
      `${error.message}\nIf its data in ${join(context.dataDir, name)} is damaged, forget the data and start anew:   npm start -- --reset`,
      error,
    );
  }
}
