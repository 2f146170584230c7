// A small process of its own that outlives whoever started it, and ends what that one can't end any more. Its standard
// input is a pipe from the starter: lines of JSON that say what to do at the end. The pipe closes when the starter is
// gone, by whatever means, kill -9 included: that is the end.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endProcesses, type Guarded } from './end-processes.ts';

export type GuardianOrder = { guard: Guarded } | { remove: string };

const guarded = new Map<string, Guarded>();
const removals = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as GuardianOrder;
  if ('guard' in order) guarded.set(order.guard.name, order.guard); // one that was started again keeps its place
  else removals.add(order.remove);
}
await endProcesses([...guarded.values()].toReversed(), () => undefined);
for (const path of removals) rmSync(path, { recursive: true, force: true });
