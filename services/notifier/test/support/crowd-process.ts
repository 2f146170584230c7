// A process of many screens, as plain as Socket.IO's client makes them: they connect again by themselves, from their newest
// cursor. Is told `CrowdOrder` over IPC, then answers `status` and `account`.
import { io } from 'socket.io-client';
import type { CrowdAccount, CrowdOrder, CrowdStatus, ScreenAccount } from './crowd.ts';
import type { Notice } from './screen.ts';

type Event = { subject: string };
const screens: (ScreenAccount & { isLive: boolean })[] = [];

function open({ url, token }: { url: string; token: string }): void {
  const screen = { told: [] as number[], gaps: 0, connections: 0, refusals: 0, isLive: false };
  let after: string | null = null;
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    auth: (send) => send({ token, ...(after !== null && { after }) }),
  });
  socket.on('connect', () => screen.connections++);
  socket.on('connect_error', () => screen.refusals++);
  socket.on('disconnect', () => (screen.isLive = false));
  socket.on('event', ({ subject }: Event, cursor: string) => {
    screen.told.push(Number(subject));
    after = cursor;
  });
  socket.on('feed', ({ status, cursor }: Notice) => {
    after = cursor ?? after;
    screen.isLive = status === 'live';
    if (status === 'gap') screen.gaps++;
  });
  screens.push(screen);
}
const status = (): CrowdStatus => ({
  live: screens.filter(({ isLive }) => isLive).length,
  told: screens.reduce((sum, { told }) => sum + told.length, 0),
});
const account = (): CrowdAccount => screens.map(({ isLive: _isLive, ...screen }) => screen);

process.on('message', (message: CrowdOrder | 'status' | 'account') => {
  if (message === 'status') process.send?.(status());
  else if (message === 'account') process.send?.(account());
  else for (const token of message.tokens) open({ url: message.url, token });
});
