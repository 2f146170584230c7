// The baseline: a WebSocket server that sends a text to all clients. The parent process sends `{ text, times }` over IPC.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await once(server, 'listening');
process.on('message', ({ text, times }: { text: string; times: number }) => {
  let sent = 0;
  const sendOne = (): void => {
    for (const client of server.clients) client.send(text);
    if (++sent < times) setImmediate(sendOne);
  };
  sendOne();
});
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
