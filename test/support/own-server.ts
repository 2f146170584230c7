import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { programsDir } from '../../scripts/root.ts';
import { findServers, type Programs } from '../../scripts/servers/find-servers.ts';
import { startMongodb } from '../../scripts/servers/mongodb.ts';
import { startRabbitmq } from '../../scripts/servers/rabbitmq.ts';
import { startRedis } from '../../scripts/servers/redis.ts';
import type { Server } from '../../scripts/servers/server.ts';
import { testDataDir } from './environment.ts';

/** A server that belongs to one test, to be killed, frozen and started again. */
export type OwnServer = Server & {
  /** Starts it again, after it has ended, with the data that it left, on the same port unless another is asked for. */
  startAgain: (options?: { port: 'another' }) => Promise<OwnServer>;
  /** Ends it and removes its data. Of one that was started again it is enough to discard the last. */
  discard: () => Promise<void>;
};

/** Starts a server of a test's own: MongoDB and Redis are there in 1 second, RabbitMQ in 3 to 5. Discard it in `afterAll`. */
export async function startOwnServer(name: keyof Programs): Promise<OwnServer> {
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), `${name}-`));
  const programs = await findServers({ names: [name], programsDir, log: () => undefined });
  const start = async (port?: number): Promise<OwnServer> => {
    const server = await startOne({ name, programs, dataDir, port });
    return {
      ...server,
      startAgain: (options) => start(options ? undefined : server.port),
      discard: async () => {
        server.kill('SIGKILL');
        await server.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  };
  return start();
}

function startOne(options: {
  name: keyof Programs;
  programs: Partial<Programs>;
  dataDir: string;
  port: number | undefined;
}): Promise<Server> {
  const { name, programs, dataDir, port } = options;
  const common = { dataDir, group: 'parent' as const, port };
  const { mongodb, redis, rabbitmq } = programs;
  if (mongodb) return startMongodb({ ...common, programs: mongodb });
  if (redis) return startRedis({ ...common, programs: redis });
  if (rabbitmq) return startRabbitmq({ ...common, programs: rabbitmq });
  throw new Error(`${name} was not found`);
}
