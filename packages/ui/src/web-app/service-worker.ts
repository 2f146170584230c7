// The service worker of one app, which the browser runs beside the app's pages. The build inserts the constant `build` at the
// top.

/** The app's name, its build number, the path of its page, and the paths of all its files. */
type Build = { app: string; id: string; page: string; files: readonly string[] };
declare const build: Build;
type Lasting = Event & { waitUntil: (work: Promise<unknown>) => void };
type Fetching = Lasting & { request: Request; respondWith: (response: Promise<Response>) => void };
type Scope = {
  addEventListener: ((type: 'install' | 'activate', listener: (event: Lasting) => void) => void) &
    ((type: 'fetch', listener: (event: Fetching) => void) => void);
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
};
const worker = globalThis as unknown as Scope;

/** How long to wait for the server's page before using the stored page, in milliseconds. */
const patienceMs = 4000;
const cachesOfApp = `comanda-${build.app}-`;
const ownCache = cachesOfApp + build.id;
const files: ReadonlySet<string> = new Set(build.files);

/** Stores this build's files. If one of them can't be fetched, stores none. */
async function keepFiles(): Promise<void> {
  const response = await fetch(build.page, { cache: 'no-cache' });
  // While a new release is being rolled out, the server's page may belong to another build than this service worker.
  if (!response.ok || !(await response.clone().text()).includes(`content="${build.id}"`))
    throw new Error('Another build');
  const cache = await caches.open(ownCache);
  await cache.addAll(build.files);
  await cache.put(build.page, response);
}

/** Removes all older builds except the previous one. Pages from that build may still be open and load more of its files. */
async function removeOlderBuilds(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(cachesOfApp) && name !== ownCache);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/**
 * Returns the server's page, so that a new release appears at the first visit. Returns the stored page if the server can't be
 * reached, responds with status 500 or above, or needs more than 4 s.
 */
async function answerPage(request: Request): Promise<Response> {
  const kept = await caches.match(build.page, { cacheName: ownCache });
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(kept), patienceMs);
  });
  try {
    const response = await Promise.race([fetch(request), late]);
    return response.status >= 500 ? kept : response;
  } catch {
    return kept;
  }
}

const answerFile = async (request: Request): Promise<Response> => (await caches.match(request.url)) ?? fetch(request);

worker.addEventListener('install', (event) => {
  event.waitUntil(keepFiles().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(removeOlderBuilds().then(() => worker.clients.claim()));
});
// Only the app's page and files come from here. All other requests, such as calls and settings, go directly to the server.
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || request.cache === 'no-store') return;
  if (pathname === build.page) {
    if (request.mode === 'navigate') event.respondWith(answerPage(request));
  } else if (files.has(pathname) || pathname.startsWith(`${build.page === '/' ? '' : build.page}/assets/`)) {
    event.respondWith(answerFile(request));
  }
});
