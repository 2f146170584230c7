import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { documents, getAsyncApi, getOpenApi, getProblem } from '@comanda/shared/contracts/documents';
import { problem } from '@comanda/shared/contracts/problems';
import { endpoints } from '@comanda/shared/contracts/registry';
import { asyncApi } from '@comanda/shared/documents/asyncapi';
import { openApi } from '@comanda/shared/documents/openapi';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { PassageResponse, Step } from '../passage.ts';
import { isProblemCode, problemFacts, problemPage } from './problem-page.ts';

type File = { type: string; body: Buffer; etag: string };
const file = (type: string, content: string | Buffer): File => {
  const body = Buffer.from(content);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
};
const json = (content: unknown): File => file('application/json; charset=utf-8', JSON.stringify(content));
const html = (content: string | Buffer): File => file('text/html; charset=utf-8', content);

const own = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../../public/${name}`, import.meta.url)));
const { resolve } = createRequire(import.meta.url);
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

type Addresses = { publicUrl: string; notifierPublicUrl: string };
/** Files that are the same for everybody, made when they are first asked for. */
const fileMakers = ({ publicUrl, notifierPublicUrl }: Addresses): Readonly<Record<string, () => File>> => ({
  [getOpenApi.path]: () => json(openApi(endpoints)),
  [getAsyncApi.path]: () => json(asyncApi({ gatewayUrl: publicUrl, notifierUrl: notifierPublicUrl })),
  '/docs': () => html(own('docs.html')),
  '/docs/docs.js': () => file(javascript, own('docs.js')),
  '/docs/docs.css': () => file(css, own('docs.css')),
  '/docs/swagger-ui-bundle.js': () => file(javascript, readFileSync(resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  '/docs/swagger-ui.css': () => file(css, readFileSync(resolve('swagger-ui-dist/swagger-ui.css'))),
});

/**
 * The documents, made from the contracts that the gateway itself routes by, the page to try calls on with all that it
 * loads, and what each problem means: kept by caches for five minutes, then asked for again by `ETag`.
 */
export function createDocuments(addresses: Addresses): Step {
  const makers = fileMakers(addresses);
  const made = new Map<string, File>();
  const match = createRouteTable(documents);

  function find(path: string): File | null {
    const known = made.get(path) ?? (Object.hasOwn(makers, path) ? makers[path]?.() : null) ?? null;
    if (known) made.set(path, known);
    return known;
  }

  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const found = match(req.method, req.url);
    if (found.found === 'endpoint') {
      const { endpoint, params, path } = found;
      res.locals.observed.route = `GET ${endpoint.path}`;
      if (endpoint.path !== getProblem.path) return send(res, find(path));
      res.vary('Accept');
      return send(res, aboutProblem(params['code'] ?? '', req.accepts('json', 'html')));
    }
    const asset = find(req.path);
    if (!asset) return next();
    res.locals.observed.route = 'GET /docs/*';
    return send(res, asset);
  };
}

function aboutProblem(code: string, accepted: string | false): File {
  if (!isProblemCode(code)) throw problem('not_found');
  return accepted === 'html' ? html(problemPage(code)) : json(problemFacts(code));
}

function send(res: PassageResponse, found: File | null): void {
  if (!found) throw problem('not_found');
  const { type, body, etag } = found;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', 'public, max-age=300');
  if (res.req.fresh) {
    res.status(304).end();
    return;
  }
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', body.length);
  res.end(res.req.method === 'HEAD' ? undefined : body);
}
