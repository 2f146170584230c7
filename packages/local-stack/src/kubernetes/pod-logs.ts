import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningPod } from './run-pod.ts';

const known = new Set(['follow', 'previous', 'tailLines', 'sinceSeconds', 'limitBytes', 'stream']);
const lookAgainMs = 200;

/** Answers as a kubelet does what `kubectl logs` asks for: the output of the container's last life, or of the one before it. */
export async function answerLogs(pod: RunningPod, query: URLSearchParams, answer: ServerResponse): Promise<void> {
  const unknown = [...query.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) return refuse(answer, `logs here cannot be asked for with ${unknown}`);
  const starts = pod.logStarts();
  const [start, end] = query.has('previous') ? [starts.at(-2), starts.at(-1)] : [starts.at(-1) ?? 0, undefined];
  if (start === undefined) return refuse(answer, 'the container was not started again, so it has no previous logs');
  const written = (await readFile(pod.logFile).catch(() => Buffer.alloc(0))).subarray(start, end);
  answer.writeHead(200, { 'content-type': 'text/plain' });
  answer.write(chosenLines(written.toString(), query));
  if (query.has('follow') && end === undefined) await follow(pod, { from: start + written.length, answer });
  answer.end();
}

/** Writes what is logged from there on, until the container has ended or nobody reads any more. */
async function follow(pod: RunningPod, { from, answer }: { from: number; answer: ServerResponse }): Promise<void> {
  let at = from;
  while (!answer.closed) {
    const { size } = await stat(pod.logFile);
    if (size > at)
      for await (const chunk of createReadStream(pod.logFile, { start: at, end: size - 1 })) answer.write(chunk);
    else if (pod.pid() === null) return;
    at = size;
    await pause(lookAgainMs);
  }
}

function refuse(answer: ServerResponse, why: string): void {
  answer.writeHead(400, { 'content-type': 'text/plain' }).end(why);
}

/** The lines that `--since`, `--tail` and `--limit-bytes` ask for. A line is as old as it says, or as the one before it. */
export function chosenLines(text: string, query: URLSearchParams, now = Date.now()): string {
  let lines = text.split(/(?<=\n)/);
  const seconds = query.get('sinceSeconds');
  if (seconds !== null) {
    const first = lines.findIndex((line) => timeOf(line) >= now - Number(seconds) * 1000);
    lines = first < 0 ? [] : lines.slice(first);
  }
  const tail = Number(query.get('tailLines') ?? -1);
  if (tail >= 0) lines = tail === 0 ? [] : lines.slice(-tail);
  return lines.join('').slice(0, Number(query.get('limitBytes') ?? Infinity));
}

/** When a service wrote a line, in milliseconds since the epoch; NaN for a line of something else. */
function timeOf(line: string): number {
  const [, time = ''] = /"time":"([^"]+)"/.exec(line) ?? [];
  return Date.parse(time);
}
