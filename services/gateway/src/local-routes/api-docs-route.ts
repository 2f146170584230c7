import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiDocs, getAsyncApi, getOpenApi, getProblem, readDocs } from '@comanda/contracts/api-docs';
import { problem } from '@comanda/contracts/problem';
import { createRouteTable } from '@comanda/shared/http/route-table';
import { docsContentPolicy } from '../middleware/security-headers.ts';
import { makeApiDocuments, type Addresses, type ApiDocuments } from './api-documents.ts';
import type { RedirectElsewhere } from './app-hosts.ts';
import { readDocsReader } from './docs-reader.ts';
import { keepOnce } from './keep-once.ts';
import type { LocalCall, LocalRoute } from './local-routes.ts';
import { isProblemCode, problemFacts, problemPage } from './problem-page.ts';
import { cachedFile, jsonFile, sendStaticFile, type StaticFile } from './static-file.ts';

const html = (content: string | Buffer): StaticFile => cachedFile('text/html; charset=utf-8', content);
const javascript = (content: Buffer): StaticFile => cachedFile('text/javascript; charset=utf-8', content);
const css = (content: Buffer): StaticFile => cachedFile('text/css; charset=utf-8', content);
const svg = (content: Buffer): StaticFile => cachedFile('image/svg+xml; charset=utf-8', content);

const font = (content: Buffer): StaticFile => cachedFile('font/woff2', content);

const readPublic = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../public/${name}`, import.meta.url)));

/** Reads a file from this repository. The Docker image contains the file at the same path. */
const readOfRepository = (path: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)));

/** The files in `docs/guides`, in the order in which the page shows them. */
const guides = [
  'set-up-the-restaurant',
  'a-menu-with-options',
  'place-and-cook-an-order',
  'split-a-bill',
  'close-the-day',
  'build-a-live-screen',
  'authorize-a-transfer',
  'handle-errors',
] as const;

/** Reads a guide and returns it as a tag without operations, which the page at `/docs` shows before the reference. */
function readGuide(name: (typeof guides)[number]): { name: string; description: string } {
  const [heading = '', ...lines] = readOfRepository(`docs/guides/${name}.md`).toString().split('\n');
  return { name: heading.replace(/^# /, ''), description: lines.join('\n').trim() };
}

/** For each path, the function that creates its file. */
const fileMakers: Readonly<Record<string, () => StaticFile>> = {
  '/docs': () => html(readPublic('docs.html')),
  '/docs/docs.js': () => javascript(readPublic('docs.js')),
  '/docs/docs.css': () => css(readPublic('docs.css')),
  '/docs/inter.woff2': () => font(readOfRepository('packages/ui/src/inter.woff2')),
  '/docs/guides.json': () => jsonFile(guides.map(readGuide)),
  '/docs/order-states.svg': () => svg(readPublic('order-states.svg')),
  '/docs/step-up.svg': () => svg(readPublic('step-up.svg')),
};
const documentAt: Readonly<Record<string, keyof ApiDocuments>> = {
  [getOpenApi.path]: 'openApi',
  [getAsyncApi.path]: 'asyncApi',
};

/**
 * Serves the OpenAPI and AsyncAPI documents, the page that shows them, that page's files, and a page for each problem code.
 * Caches keep them for five minutes.
 */
export function createApiDocsRoute(addresses: Addresses, redirectElsewhere: RedirectElsewhere): LocalRoute {
  const files = new Map<string, StaticFile>();
  const matchRoute = createRouteTable(apiDocs);
  const getReader = keepOnce(readDocsReader);
  const getDocuments = keepOnce(() => makeApiDocuments(addresses));

  function findFile(path: string): StaticFile | null {
    const file = files.get(path) ?? (Object.hasOwn(fileMakers, path) ? fileMakers[path]?.() : null) ?? null;
    if (file) files.set(path, file);
    return file;
  }

  function getFile(path: string): StaticFile {
    const file = findFile(path);
    if (!file) throw problem('not_found');
    return file;
  }

  async function sendReader(call: LocalCall): Promise<void> {
    sendStaticFile(call, await getReader());
  }

  async function sendDocument(call: LocalCall, name: keyof ApiDocuments): Promise<void> {
    sendStaticFile(call, (await getDocuments())[name]);
  }

  return (call) => {
    const { state, req, res } = call;
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const route = matchRoute(req.method, state.target);
    if (route.kind === 'endpoint') {
      const { endpoint, params, path } = route;
      state.observed.route = `GET ${endpoint.path}`;
      if (endpoint.path === getProblem.path) {
        res.vary('Accept');
        sendStaticFile(call, problemFile(params['code'] ?? '', req.accepts('json', 'html')));
      } else {
        // The page sends requests to the address in the document, and its content policy allows requests to its own host only. So
        // the page must be opened at that host.
        if (endpoint.path === readDocs.path && redirectElsewhere(call, 'guests')) return true;
        if (endpoint.path === readDocs.path)
          res.setHeader('Content-Security-Policy', docsContentPolicy(String(res.getHeader('Content-Security-Policy'))));
        const { [path]: document } = documentAt;
        if (document) return sendDocument(call, document);
        sendStaticFile(call, getFile(path));
      }
      return true;
    }
    if (state.path === '/docs/') {
      state.observed.route = 'GET /docs/*';
      res.writeHead(308, { Location: '/docs' }).end(); // for people who type a slash at the end
      return true;
    }
    const isReader = state.path === '/docs/reader.js';
    const file = isReader ? null : findFile(state.path);
    if (!isReader && !file) return false;
    state.observed.route = 'GET /docs/*';
    if (!file) return sendReader(call);
    sendStaticFile(call, file);
    return true;
  };
}

function problemFile(code: string, accepted: string | false): StaticFile {
  if (!isProblemCode(code)) throw problem('not_found');
  return accepted === 'html' ? html(problemPage(code)) : jsonFile(problemFacts(code));
}
