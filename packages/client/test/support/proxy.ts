import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type HttpResponse = { status: number; headers?: Record<string, string>; html?: string };
/** A proxy between a phone and the gateway. `respond` returns the proxy's own response, or null to forward the request. */
export type Proxy = { url: string; respond: (req: IncomingMessage) => HttpResponse | null; close: () => void };

export async function startProxy(target: string): Promise<Proxy> {
  const server = createServer((req, res) => {
    const own = proxy.respond(req);
    if (own) {
      req.resume();
      res.writeHead(own.status, { 'content-type': 'text/html', ...own.headers });
      res.end(own.html ?? `<html><h1>${own.status}</h1></html>`);
      return;
    }
    const { method, headers, url = '' } = req;
    const passedOn = request(target + url, { method: method ?? 'GET', headers }, (response) => {
      res.writeHead(response.statusCode ?? 0, response.rawHeaders);
      response.pipe(res);
    });
    passedOn.once('error', () => res.destroy());
    req.pipe(passedOn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respond: () => null,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
