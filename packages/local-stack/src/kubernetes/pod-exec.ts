import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { WebSocket } from 'ws';
import { identify } from '../process-identity.ts';
import type { OnSpawn } from '../servers/server-process.ts';
import { onThisMachine } from './addresses.ts';
import type { RunningPod } from './run-pod.ts';

/** The protocol of `kubectl exec` over a WebSocket: the first byte of each message is one of these. */
export const execProtocol = 'v5.channel.k8s.io';
const channels = { stdin: 0, stdout: 1, stderr: 2, outcome: 3, close: 255 } as const;

/**
 * Runs a command as `kubectl exec` does in a container: in the folder of the pod's process and with its settings. 127.0.0.1 in
 * it is the pod, which has another address on this machine. With `tty`, util-linux's `script` makes the terminal.
 */
export function execInPod(
  { name, pod, query }: { name: string; pod: RunningPod; query: URLSearchParams },
  { socket, onSpawn }: { socket: WebSocket; onSpawn: OnSpawn },
): void {
  const words = query.getAll('command').map((word) => word.replaceAll('127.0.0.1', onThisMachine(pod.address)));
  const asTyped = ['script', '--quiet', '--return', '--command', words.map(quoted).join(' '), '/dev/null'];
  const [command = '', ...args] = query.has('tty') ? asTyped : words;
  const env = { ...pod.process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, TERM: 'xterm' };
  const child = spawn(command, args, { cwd: pod.process.cwd, env, stdio: 'pipe' });
  const send = (channel: number, data: Buffer): void => socket.send(Buffer.concat([Buffer.from([channel]), data]));
  const end = (outcome: object): void => {
    send(channels.outcome, Buffer.from(JSON.stringify({ metadata: {}, ...outcome })));
    socket.close(1000); // with another code, kubectl says that the connection has failed
  };
  child.on('spawn', () => child.pid && onSpawn({ ...(identify(child.pid) ?? { pid: child.pid, born: '' }), name }));
  child.on('error', (error) => end({ status: 'Failure', message: `${command} cannot be run: ${error.message}` }));
  child.stdout.on('data', (data: Buffer) => send(channels.stdout, data));
  child.stderr.on('data', (data: Buffer) => send(channels.stderr, data));
  child.stdin.on('error', () => undefined); // it has ended, and its exit says so
  child.on('close', (code, signal) => signal !== null || code === null || end(outcomeOf(code)));
  if (!query.has('input')) child.stdin.end();
  socket.on('message', (message: Buffer) => {
    if (message[0] === channels.stdin) child.stdin.write(message.subarray(1));
    if (message[0] === channels.close && message[1] === channels.stdin) child.stdin.end();
  });
  socket.on('close', () => child.kill('SIGKILL'));
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** What kubectl makes its own exit code of. */
function outcomeOf(code: number): object {
  if (code === 0) return { status: 'Success' };
  const details = { causes: [{ reason: 'ExitCode', message: String(code) }] };
  return {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with exit code ${code}`,
    details,
  };
}
