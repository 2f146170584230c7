// Runs many clients with Socket.IO's defaults in one process. They reconnect automatically from their latest cursors. The process
// receives a `CrowdOrder` over IPC and then responds to `status` and `records`.
import { io } from 'socket.io-client';
import type { Notice } from '@comanda/testing/feed-client';
import type { ClientRecord, CrowdOrder, CrowdStatus } from './crowd.ts';

type Event = { subject: string };
const clients: (ClientRecord & { isLive: boolean })[] = [];

function open({ url, token }: { url: string; token: string }): void {
  const client = { received: [] as number[], gaps: 0, connections: 0, refusals: 0, isLive: false };
  let after: string | null = null;
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    auth: (send) => send({ token, ...(after !== null && { after }) }),
  });
  socket.on('connect', () => client.connections++);
  socket.on('connect_error', () => client.refusals++);
  socket.on('disconnect', () => (client.isLive = false));
  socket.on('event', ({ subject }: Event, cursor: string) => {
    client.received.push(Number(subject));
    after = cursor;
  });
  socket.on('feed', ({ status, cursor }: Notice) => {
    after = cursor ?? after;
    client.isLive = status === 'live';
    if (status === 'gap') client.gaps++;
  });
  clients.push(client);
}
const status = (): CrowdStatus => ({
  live: clients.filter(({ isLive }) => isLive).length,
  received: clients.reduce((sum, { received }) => sum + received.length, 0),
});
const records = (): ClientRecord[] => clients.map(({ isLive: _isLive, ...client }) => client);

process.on('message', (message: CrowdOrder | 'status' | 'records') => {
  if (message === 'status') process.send?.(status());
  else if (message === 'records') process.send?.(records());
  else for (const token of message.tokens) open({ url: message.url, token });
});
