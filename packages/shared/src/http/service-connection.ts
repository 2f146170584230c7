import type { ClientRequest } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { maxIdleMs } from './idle-connections.ts';
import { signatureHeader, signRequest, type ServiceIdentity } from './service-signature.ts';
import { http } from '../runtime/node-http.ts';

/** A request to another service. */
export type ServiceRequest = {
  method: string;
  /** The path with the query. */
  target: string;
  headers?: Readonly<Record<string, string>>;
  /** The body in JSON, if there is one. */
  body?: string;
  /** The time when the caller stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
};
/** A response from another service. `body` is the parsed JSON, or `{}` for a status with which services don't sign responses. */
export type ServiceResponse = { status: number; body: Record<string, unknown> };
export type ServiceConnection = {
  /**
   * Sends a signed request. Does not follow redirects.
   * @throws Error if the network fails, the deadline has passed, the response is not signed with this service's secret, or the
   * body is not JSON
   */
  send: (request: ServiceRequest) => Promise<ServiceResponse>;
  /** Closes all connections, even those on which a request is waiting for its response. */
  close: () => void;
};

/**
 * Returns true if services don't sign responses with this status. With a 5xx, another server may have responded. With a 413, the
 * body was too large to check the request's signature.
 */
const isUnsigned = (status: number): boolean => status >= 500 || status === 413;

/**
 * Connects to the service at `url` and sends it requests that are signed by `service`. Connections stay open between requests,
 * for up to `maxIdleMs` milliseconds.
 */
export function createServiceConnection(url: string, service: ServiceIdentity): ServiceConnection {
  const server = new URL(url);
  const { Agent, request } = server.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32, timeout: maxIdleMs });
  // The URL is parsed only once, and a timer replaces `AbortSignal.timeout`. Together, this saves a fifth of a call's time.
  const { hostname, port } = urlToHttpOptions(server);

  async function send({ method, target, headers, body, deadline }: ServiceRequest): Promise<ServiceResponse> {
    const content = Buffer.from(body ?? '');
    const signed = signRequest(service, { method, target, body: content });
    const sent = request({
      hostname,
      port,
      path: target,
      method,
      agent,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': content.length }),
        [signatureHeader]: signed.header,
      },
    });
    const response = await responseTo(sent, { content, deadline });
    const { status } = response;
    if (isUnsigned(status)) return { status, body: {} };
    if (!signed.isGenuine(response))
      throw new Error(`the response from ${server.host}${target}, ${status}, is not signed with SERVICE_SECRET`);
    return { status, body: JSON.parse(response.body.toString()) as ServiceResponse['body'] };
  }
  return { send, close: () => agent.destroy() };
}

type RawResponse = { status: number; body: Buffer; header: string | undefined };

async function responseTo(
  request: ClientRequest,
  { content, deadline }: { content: Buffer; deadline: number },
): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  request.on('response', (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const header = res.headers[signatureHeader.toLowerCase()] as string | undefined;
    res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks), header }));
    res.on('error', reject);
  });
  request.on('error', reject);
  request.end(content);
  const onTimeout = (): void => void request.destroy(new Error('no response in time'));
  const timer = setTimeout(onTimeout, Math.max(0, deadline - performance.now()));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
