// A minimal upstream server, so that the figures show the proxy's cost. It finds out where a request ends, and ignores the rest
// of its content. The argument is the response time in milliseconds.
import { createServer, type AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
const body = JSON.stringify({ text: 'a'.repeat(1024 - 11) });
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);

const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    rest += chunk;
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
      if (rest.length < end + 4 + length) return;
      rest = rest.slice(end + 4 + length);
      if (delayMs > 0) setTimeout(() => socket.write(response), delayMs);
      else socket.write(response);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('disconnect', () => process.exit());
