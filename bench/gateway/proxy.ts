// Runs a proxy as a process: the gateway with all its middleware, or a baseline that only forwards. Sends its URL to the parent
// process, and responds to each message with the CPU time used so far, in seconds.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import fastify from 'fastify';
import { Pool } from 'undici';
import { gatewaySettings } from '../../services/gateway/src/config.ts';
import { startGateway } from '../../services/gateway/src/service.ts';

const [kind = '', upstream = ''] = process.argv.slice(2);

async function ours(): Promise<string> {
  const config = loadConfig(gatewaySettings, process.env);
  return (await startGateway(config, createLogger({ service: 'gateway', level: config.logLevel }))).url;
}

async function fastifyHttpProxy(): Promise<string> {
  const app = fastify({ logger: false });
  await app.register(httpProxy, { upstream });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

async function bareUndici(): Promise<string> {
  const pool = new Pool(upstream, { connections: 64, pipelining: 1 });
  const server = createServer((req, res) => pool.dispatch(options(req), handler(res)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
function options(req: IncomingMessage) {
  const { connection: _own, host: _host, ...headers } = req.headers;
  const body = req.headers['content-length'] === undefined ? null : req;
  return { path: req.url ?? '/', method: req.method as 'GET', headers, body };
}
function handler(res: ServerResponse) {
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_controller: unknown, status: number, headers: Record<string, string | string[]>) => {
      res.writeHead(status, headers);
    },
    onResponseData: (_controller: unknown, chunk: Buffer) => void res.write(chunk),
    onResponseEnd: () => void res.end(),
    onResponseError: (_controller: unknown, error: Error) => void res.destroy(error),
  };
}

const kinds: Record<string, () => Promise<string>> = { ours, fastifyHttpProxy, bareUndici };
const url = await kinds[kind]?.();
process.send?.(url);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
process.on('disconnect', () => process.exit());
