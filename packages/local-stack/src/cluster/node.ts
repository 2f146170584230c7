import type { OnSpawn, ServerProcess } from '../servers/server-process.ts';

/** A server in a cluster. It keeps its port and data across restarts. */
export type ClusterNode = {
  name: string;
  port: number;
  /** Returns the id of the running process, or undefined while the server is down. */
  pid: () => number | undefined;
  /** Sends a signal. SIGKILL loses data that is not on disk. SIGSTOP pauses the process until SIGCONT. */
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves when the process has exited. */
  exited: () => Promise<void>;
  /** Restarts the server after its process has exited. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Creates a node. Starts its process by calling `start`, now and at every restart. */
export async function createNode(options: {
  name: string;
  port: number;
  start: () => Promise<ServerProcess>;
}): Promise<ClusterNode> {
  const { name, port, start } = options;
  let current: ServerProcess | undefined;
  async function run(): Promise<void> {
    const started = await start();
    current = started;
    void forgetWhenExited(started);
  }
  async function forgetWhenExited(started: ServerProcess): Promise<void> {
    await started.exited;
    if (current === started) current = undefined;
  }
  await run();
  return {
    name,
    port,
    pid: () => current?.pid,
    kill: (signal) => current?.kill(signal),
    exited: async () => {
      await current?.exited;
    },
    restart: run,
    stop: async () => {
      await current?.stop();
    },
  };
}

export type StartClusterOptions<Programs> = { programs: Programs; dataDir: string; onSpawn: OnSpawn };

/** Calls `attempt` until it resolves. @throws the last error after `timeoutMs` */
export async function retryUntil<T>(attempt: () => Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
