// A small process that outlives its starter and stops what the starter can no longer stop. Its standard input is a pipe
// from the starter: one JSON command a line. The pipe closes when the starter exits, even by kill -9; then the reaper
// stops all tracked processes and removes the files.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopProcesses, type TrackedProcess } from './stop-processes.ts';

export type ReaperCommand = { track: TrackedProcess } | { remove: string } | { removeFolders: string };

const tracked = new Map<string, TrackedProcess>();
const paths = new Set<string>();
const folders = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as ReaperCommand;
  if ('track' in command) tracked.set(command.track.name, command.track); // a restarted process keeps its position
  else if ('remove' in command) paths.add(command.remove);
  else folders.add(command.removeFolders);
}
await stopProcesses([...tracked.values()].toReversed(), () => undefined);
for (const path of paths) rmSync(path, { recursive: true, force: true });
for (const folder of folders)
  for (let attempts = 100; attempts > 0 && !removeFolders(folder); attempts--) await delay(50);

/** Whether no folder is left. The kernel keeps the folder of a cgroup for a moment after its last process. */
function removeFolders(folder: string): boolean {
  if (!existsSync(folder)) return true;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeFolders(join(folder, entry.name));
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // in use, or somebody's file is in it
  }
}
