import { startOwnBroker } from '@comanda/testing/own-broker';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';

type BringBack = () => Promise<void>;
/** A server with a single node. It has the same address and data after a restart. */
export type OneNode = {
  url: string;
  /** Kills the server with SIGKILL. Returns a function that restarts it. */
  kill: () => Promise<BringBack>;
  /** Pauses the server with SIGSTOP. Returns a function that resumes it. */
  freeze: () => Promise<BringBack>;
};

/** Starts MongoDB, Redis and RabbitMQ for this run only, each with one node. */
export async function startOneOfEach() {
  const servers = await Promise.all([startOwnServer('mongodb'), startOwnServer('redis'), startOwnBroker()]);
  const [mongodb, redis, rabbitmq] = servers;
  return {
    mongodb: oneNode(mongodb),
    redis: oneNode(redis),
    rabbitmq: oneNode(rabbitmq),
    close: async (): Promise<void> => void (await Promise.all(servers.map((server) => server.discard()))),
  };
}

function oneNode(first: OwnServer): OneNode {
  let server = first;
  return {
    url: first.url,
    kill: async () => {
      server.kill('SIGKILL');
      await server.exited;
      return async () => void (server = await server.startAgain());
    },
    freeze: async () => {
      server.kill('SIGSTOP');
      return async () => server.kill('SIGCONT');
    },
  };
}
