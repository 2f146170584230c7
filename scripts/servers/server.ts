import type { Exit, OnSpawn } from './server-process.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** A server that we started, on 127.0.0.1. */
export type Server = {
  url: string;
  port: number;
  /** The serving process itself. */
  pid: number;
  /** All its processes, the serving one first. */
  processes: readonly ProcessIdentity[];
  /** Settles when the serving process has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** Sends a signal to the serving process: SIGKILL loses what is not on disk, SIGSTOP freezes it until SIGCONT. */
  kill: (signal: NodeJS.Signals) => void;
  /** Ends it in order, by force if that takes too long (a frozen one too). Resolves when nothing of it is left running. */
  stop: () => Promise<void>;
};

export type StartServerOptions<Programs> = {
  programs: Programs;
  /** Its data and settings. A folder that a server left, in order or killed, is taken up again. */
  dataDir: string;
  /** Where its output goes, appended; into its data by default. */
  logFile?: string | undefined;
  /** The port to listen on; any that is free by default. */
  port?: number | undefined;
  onSpawn?: OnSpawn | undefined;
};
