// A service worker, which the browser runs next to one app's pages. The build inserts `build` at its start.

/** The build number, the path of the app's page, and the names of all files. */
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

/** How long to wait for the app's page before the stored page is used, in milliseconds. */
const patienceMs = 4000;
const cachesOfApp = `comanda-${build.app}-`;
const ownCache = cachesOfApp + build.id;
const files: ReadonlySet<string> = new Set(build.files);

/** Stores either all of this build's files or none. */
async function keepFiles(): Promise<void> {
  const response = await fetch(build.page, { cache: 'no-cache' });
  // During a rollout, this file and the page may belong to different builds.
  if (!response.ok || !(await response.clone().text()).includes(`content="${build.id}"`))
    throw new Error('Another build');
  const cache = await caches.open(ownCache);
  await cache.addAll(build.files);
  await cache.put(build.page, response);
}

/** Removes all older builds except the previous one. Open pages from that build still load their parts when they need them. */
async function removeOlderBuilds(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(cachesOfApp) && name !== ownCache);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/**
 * Fetches the page from the server, so a new release appears at the first visit. Uses the stored page if there is no successful
 * response in time.
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
// Everything else, such as calls and settings, goes to the server without the service worker.
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
