import type { Socket } from 'node:net';
import { problemBody, type Problem } from '@comanda/contracts/problem';
import { endConnection } from './end-connection.ts';
import { http } from '../runtime/node-http.ts';

/** Sends problem+json on a socket for which Node has no response object, and closes the socket. */
export function sendRawResponse(socket: Socket, failure: Problem, requestId: string): void {
  const body = JSON.stringify(problemBody(failure, requestId));
  const headers: Record<string, string | number> = {
    Connection: 'close',
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...failure.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${failure.status} ${http.STATUS_CODES[failure.status]}\r\n${lines.join('')}\r\n${body}`);
  endConnection(socket);
  // If data were left unread, the kernel would reset the connection before the client has read the response.
  socket.resume();
}
