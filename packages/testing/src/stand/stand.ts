import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page, ViewportSize } from 'playwright-core';
import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedStanding, Who } from '../../../client/src/client.ts';
import { startBrowser, throwErrors, watchErrors } from '../browser.ts';
import { builtStand } from '../built-apps.ts';
import { storePicture } from '../store-picture.ts';
import type { Remote } from './fake-client.ts';
import type { MadeCall, State } from './state.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** How the page is looked at: on a phone of 360 × 640, English, light, without motion by default. */
export type StandLook = {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
  language?: 'en' | 'pt-BR';
};
export type Stand = Awaited<ReturnType<typeof openStand>>;

/**
 * A web app as `main.tsx` starts it, in a real browser, with a client that has no server: what the server would say is data.
 * One page shows one state after the other.
 */
export async function openStand(app: 'table' | 'kitchen') {
  const folders = await builtStand();
  const base = app === 'kitchen' ? '/kitchen' : '';
  let script = '';
  const { KITCHEN_APP_FOLDER: kitchen, TABLE_APP_FOLDER: table } = folders;
  const server = serve({ folder: app === 'kitchen' ? kitchen : table, base, rest: table }, () => script);
  server.listen(0, '127.0.0.1');
  const [browser] = await Promise.all([startBrowser(), once(server, 'listening')]);
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block' });
  watchErrors(context);
  const page = await context.newPage();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let shown = 0;
  const remote = (name: Exclude<keyof Remote, 'calls'>, argument: unknown): Promise<void> =>
    page.evaluate(([act, given]) => (globalThis.standRemote[act as 'emit'] as (each: unknown) => void)(given), [
      name,
      argument,
    ] as const);
  return {
    page,
    origin,
    /** Loads the page in this state, at a path such as `#/review`. */
    show: async (state: State, path = '#/', look: StandLook = {}): Promise<Page> => {
      const { viewport = { width: 360, height: 640 }, colorScheme = 'light', forcedColors = 'none' } = look;
      script = scriptOf(state, ++shown, look.language);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, forcedColors, media: 'screen' });
      await page.goto(`${origin}${base}/?${shown}${path}`, { waitUntil: 'domcontentloaded' });
      return page;
    },
    /** Stores a picture of the page, for people to look at, if `SCREENSHOTS` names a folder. */
    shoot: (of: Page, picture: string): Promise<void> => storePicture(of, `${app}-${picture}`),
    /** From now on the calls get this, and so do those that have waited for a response (`never`). */
    answer: (answers: State['answers']) => remote('answer', answers),
    /** The feed brings this. */
    emit: <T extends EventType>(type: T, data: CloudEvent<T>['data']) => remote('emit', { type, data }),
    standing: (standing: FeedStanding) => remote('stand', standing),
    /** Somebody else is signed in, or nobody. */
    signIn: (who: Who | null) => remote('signIn', who),
    /** What the page has called since it was shown, by the name of the call. */
    calls: async (name: MadeCall['call']): Promise<MadeCall[]> =>
      (await page.evaluate(() => (globalThis as { standRemote?: Remote }).standRemote?.calls ?? [])).filter(
        ({ call }) => call === name,
      ),
    /** After each test. @throws Error if the page has had errors that its test does not expect */
    check: () => throwErrors(context),
    close: async (): Promise<void> => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A page that is loaded again finds the device as it has left it. */
const scriptOf = (state: State, shown: number, language = 'en'): string => `
  // A window that fills the screen has no size that a test could choose.
  delete Element.prototype.requestFullscreen;
  globalThis.standState = ${JSON.stringify(state)};
  if (sessionStorage.getItem('stand') !== '${shown}') {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem('stand', '${shown}');
    const device = ${JSON.stringify({ 'comanda.language': language, ...state.device })};
    for (const [name, value] of Object.entries(device)) localStorage.setItem(name, value);
    for (const [name, value] of Object.entries(${JSON.stringify(state.tab ?? {})})) sessionStorage.setItem(name, value);
  }
`;

/** `folder`: the app, below the path `base`. `rest`: the folder for all other paths, such as pictures of dishes. */
type Served = { folder: string; base: string; rest: string };
function serve({ folder, base, rest }: Served, script: () => string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand');
    const isOfApp = pathname.startsWith(base);
    const path = normalize(isOfApp ? pathname.slice(base.length) : pathname);
    const send = (type: string, body: string | Buffer, cacheFor = 'no-store'): void => {
      response.writeHead(200, { 'content-type': type, 'cache-control': cacheFor }).end(body);
    };
    if (path === '/stand-state.js') send('text/javascript', script());
    else if (path === '/config.json') send('application/json', '{}');
    else {
      const file = extname(path) === '' ? '/index.html' : path;
      const isHashed = path.startsWith('/assets/');
      readFile(join(isOfApp ? folder : rest, file)).then(
        (body) => send(types[extname(file)] ?? 'application/octet-stream', body, isHashed ? 'max-age=3600' : undefined),
        () => response.writeHead(404).end(),
      );
    }
  });
}
