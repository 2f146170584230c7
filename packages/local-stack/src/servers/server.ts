import type { Exit, OnSpawn } from './server-process.ts';
import type { ProcessIdentity } from '../process-identity.ts';

/** A server that this program started on 127.0.0.1. */
export type Server = {
  url: string;
  port: number;
  /** The id of the server process. */
  pid: number;
  /** All processes that belong to the server. The server process itself is the first. */
  processes: readonly ProcessIdentity[];
  /** Resolves when the server process has exited for any reason. */
  exited: Promise<Exit>;
  /** Sends a signal to the server process. SIGKILL loses data that is not on disk. SIGSTOP pauses the process until SIGCONT. */
  kill: (signal: NodeJS.Signals) => void;
  /** Stops the server gracefully, or with SIGKILL if that takes too long. Resolves when all its processes have exited. */
  stop: () => Promise<void>;
};

export type StartServerOptions<Programs> = {
  programs: Programs;
  /** The folder for the server's data and settings. It may contain data from an earlier server, even one that was killed. */
  dataDir: string;
  /** The file to which the server's output is appended. By default a file in `dataDir`. */
  logFile?: string | undefined;
  /** The port to listen on. By default a free port. */
  port?: number | undefined;
  onSpawn?: OnSpawn | undefined;
};
