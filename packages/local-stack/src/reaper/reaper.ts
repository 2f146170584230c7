// A small process that outlives the process that started it, and cleans up after it. Its standard input is a pipe from its
// starter, with one JSON command per line. When the starter exits, even after kill -9, the pipe closes. The reaper then stops all
// tracked processes and removes the files.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { stopProcesses, type TrackedProcess } from './stop-processes.ts';

export type ReaperCommand = { track: TrackedProcess } | { remove: string };

const tracked = new Map<string, TrackedProcess>();
const paths = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as ReaperCommand;
  if ('track' in command) tracked.set(command.track.name, command.track); // A restarted process keeps its position in the order.
  else paths.add(command.remove);
}
await stopProcesses([...tracked.values()].toReversed(), () => undefined);
for (const path of paths) rmSync(path, { recursive: true, force: true });
