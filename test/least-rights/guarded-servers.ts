import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir, root } from '@comanda/local-stack/root';
import { findServers } from '@comanda/local-stack/servers/find-servers';
import { startProcess, waitUntilReady, type OnSpawn } from '@comanda/local-stack/servers/server-process';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startOwnServer } from '@comanda/testing/own-server';
import { testDataDir } from '@comanda/testing/environment';
import { until } from '@comanda/testing/until';

const password = randomBytes(16).toString('hex');
const rightsFile = (name: string): string => readFileSync(join(root, 'deploy/rights', name), 'utf8');

/** A server that requires a password and has the accounts from deploy/rights. `urlOf` returns the URL for an account. */
export type GuardedServer = { urlOf: (account: string) => string; discard: () => Promise<void> };

/** Starts a MongoDB with access control and the accounts from deploy/rights/mongodb.js. */
export async function startGuardedMongodb(): Promise<GuardedServer> {
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'guarded-'));
  const reaper = await startReaper();
  reaper.remove(dataDir);
  const { mongodb } = await findServers({ names: ['mongodb'], programsDir, log: () => undefined });
  const [port, keyFile, logFile] = [await freePort(), join(dataDir, 'key'), join(dataDir, 'mongodb.log')];
  writeFileSync(keyFile, randomBytes(96).toString('base64'));
  chmodSync(keyFile, 0o400);
  const host = `127.0.0.1:${port}`;
  const args =
    `--replSet comanda --bind_ip 127.0.0.1 --port ${port} --dbpath ${dataDir} --keyFile ${keyFile} --nounixsocket ` +
    '--wiredTigerCacheSizeGB 0.256 --oplogSize 64 --setParameter transactionLifetimeLimitSeconds=3';
  const onSpawn: OnSpawn = (spawned) => reaper.track({ ...spawned, stop: 'kill' });
  const program = { command: mongodb.server, env: mongodb.env, cwd: dataDir };
  const name = 'MongoDB';
  const process = await startProcess({ name, ...program, args: args.split(' '), logFile, onSpawn });
  const ready = (): Promise<unknown> => onServer(host, (client) => client.db('admin').command({ ping: 1 }));
  await waitUntilReady({ name, process, ready, logFile, timeoutMs: 60_000 });
  await onServer(host, async (client) => {
    const admin = client.db('admin');
    await admin.command({ replSetInitiate: { _id: 'comanda', members: [{ _id: 0, host }] } });
    const isPrimary = async (): Promise<boolean> => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true;
    await until(isPrimary, { what: 'MongoDB to be the primary' });
    await admin.command({ createUser: 'root', pwd: password, roles: ['root'] });
  });
  const urlOf = (account: string): string =>
    `mongodb://${account}:${password}@${host}/?replicaSet=comanda&authSource=admin`;
  const client = await new MongoClient(urlOf('root')).connect();
  for (const { database, command } of commandsOf(rightsFile('mongodb.js'))) await client.db(database).command(command);
  await client.close();
  return { urlOf, discard: reaper.finish };
}

async function onServer<T>(host: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 1000 });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

type Command = { database: string; command: Document };
/** Returns the database commands that a mongosh script would run on a server that has no roles or accounts yet. */
function commandsOf(script: string): Command[] {
  const commands: Command[] = [];
  const databaseOf = (database: string) => ({
    getRole: () => null,
    getUser: () => null,
    createRole: ({ role, ...rest }: Document) => commands.push({ database, command: { createRole: role, ...rest } }),
    createUser: ({ user, ...rest }: Document) => commands.push({ database, command: { createUser: user, ...rest } }),
  });
  runInNewContext(script, {
    db: { getSiblingDB: databaseOf },
    passwordPrompt: () => password,
    print: () => undefined,
  });
  return commands;
}

/** Starts a Redis with the accounts from deploy/rights/redis.acl. */
export async function startGuardedRedis(): Promise<GuardedServer> {
  const server = await startOwnServer('redis');
  const redis = new Redis(server.url);
  await redis.acl('SETUSER', 'root', 'on', `>${password}`, '~*', '&*', '+@all');
  await redis.call('AUTH', 'root', password);
  for (const line of rightsFile('redis.acl').trim().split('\n')) {
    const [, user = '', ...rules] = line.split(' ');
    await redis.acl('SETUSER', user, ...rules.map((rule) => (rule === '>PASSWORD' ? `>${password}` : rule)));
  }
  redis.disconnect();
  const urlOf = (account: string): string => server.url.replace('redis://', `redis://${account}:${password}@`);
  return { urlOf, discard: server.discard };
}

/** Returns the actions, apart from reading, that a service's account may perform, keyed by collection. */
export function rightsOf(service: string): Record<string, readonly string[]> {
  const own = commandsOf(rightsFile('mongodb.js')).find(({ command }) => command['createRole'] === service);
  const privileges = (own?.command['privileges'] ?? []) as { resource: { collection: string }; actions: string[] }[];
  return Object.fromEntries(
    privileges
      .filter(({ resource }) => resource.collection !== '')
      .map(({ resource, actions }) => [resource.collection, actions]),
  );
}
