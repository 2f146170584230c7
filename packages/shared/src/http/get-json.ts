import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { signatureHeader, signRequest, type ServiceIdentity } from './service-signature.ts';

/**
 * Fetches JSON from another service, which must prove that it has the secret of `service`; other responses from `url` are
 * rejected. Does not follow redirects. Node's `fetch` would need several more megabytes in each process.
 * @throws for every status except 200, a response that is not signed, a body that is not JSON, a network error, and when `signal`
 * is aborted
 */
export async function getJson(
  url: string,
  { service, signal }: { service: ServiceIdentity; signal: AbortSignal },
): Promise<unknown> {
  const { pathname, search } = new URL(url);
  const signed = signRequest(service, { method: 'GET', target: pathname + search, body: Buffer.alloc(0) });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { get } = url.startsWith('https:') ? https : http;
  get(url, { signal, headers: { [signatureHeader]: signed.header } }, resolve).on('error', reject);
  const response = await promise;
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${url} answered ${response.statusCode}`);
  }
  const body = await buffer(response);
  const header = response.headers[signatureHeader.toLowerCase()] as string | undefined;
  if (!signed.isGenuine({ status: 200, body, header }))
    throw new Error(`the answer of ${url} is not signed with SERVICE_SECRET`);
  return JSON.parse(body.toString()) as unknown;
}
