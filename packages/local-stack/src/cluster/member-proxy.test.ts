import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../servers/free-port.ts';
import { startMemberProxy, type MemberProxy } from './member-proxy.ts';

// The first member is this process, so its connections to the second member count as internal.
let echo: Server;
let proxy: MemberProxy;
let secondPort: number;
const opened: { close: () => void }[] = [];
beforeAll(async () => {
  echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port: targetPort } = echo.address() as AddressInfo;
  const ports = [await freePort(), await freePort()] as const;
  secondPort = ports[1];
  proxy = await startMemberProxy([
    { port: ports[0], targetPort, pid: () => process.pid },
    { port: ports[1], targetPort, pid: () => undefined },
  ]);
});
afterAll(() => {
  for (const { close } of opened) close();
  proxy.close();
  echo.close();
});

/** Opens a connection from the first member to the second. `heard` returns everything received on it so far. */
async function connectMember(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect({ host: '127.0.0.1', port: secondPort });
  opened.push({ close: () => socket.destroy() });
  let heard = '';
  socket.on('data', (chunk) => (heard += String(chunk)));
  await once(socket, 'connect');
  return { socket, heard: () => heard };
}
/** Returns what the second member sends to a client. The client runs in a separate process. */
async function askAsClient(): Promise<string> {
  const script = `const s = require('net').connect(${secondPort}, '127.0.0.1', () => s.end('client')); s.pipe(process.stdout)`;
  const client: ChildProcess = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { stdout } = client;
  return stdout ? text(stdout) : '';
}

test('clients can still reach a member that is cut off from the other members', async () => {
  const before = await connectMember();
  before.socket.write('a');
  await once(before.socket, 'data');

  proxy.cut(1);
  before.socket.write('b');
  const meanwhile = await connectMember();
  meanwhile.socket.write('c');
  expect(await askAsClient()).toBe('client'); // This takes longer than an echo between members would.
  expect([before.heard(), meanwhile.heard()]).toEqual(['a', '']);

  const echoes = [once(before.socket, 'data'), once(meanwhile.socket, 'data')];
  proxy.heal(1);
  await Promise.all(echoes);
  expect([before.heard(), meanwhile.heard()]).toEqual(['ab', 'c']);
});
