import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page, ViewportSize } from 'playwright-core';
import type { CloudEvent } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { FeedStanding, Who } from '../../../client/src/client.ts';
import { sharedBrowser, throwErrors, watchErrors } from '../browser.ts';
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
/** The script of the accessibility checks, which `violationsOf` loads. */
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** What the stand serves as every picture that a manager has uploaded. */
const uploaded = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
/** How the page is shown: by default on a phone with 360 × 640 pixels, in English, in light colours and without animations. */
export type StandLook = {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
  language?: 'en' | 'pt-BR';
};
export type Stand = Awaited<ReturnType<typeof openStand>>;

/**
 * Opens a web app in a real browser, from `main.tsx` on. The app's client has no server: it responds to each call with the data
 * in a state. The same page is used to show one state after another.
 */
export async function openStand(app: 'guest' | 'staff') {
  const folders = await builtStand();
  const base = app === 'staff' ? '/kitchen' : '';
  let script = '';
  const { KITCHEN_APP_FOLDER: staff, TABLE_APP_FOLDER: guest } = folders;
  const server = serve({ folder: app === 'staff' ? staff : guest, base, rest: guest }, () => script);
  server.listen(0, '127.0.0.1');
  const [browser] = await Promise.all([sharedBrowser(), once(server, 'listening')]);
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
    /** Loads the page with this state, at a path such as `#/review`. */
    show: async (state: State, path = '#/', look: StandLook = {}): Promise<Page> => {
      const { viewport = { width: 360, height: 640 }, colorScheme = 'light', forcedColors = 'none' } = look;
      script = scriptOf(state, ++shown, look.language);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, forcedColors, media: 'screen' });
      await page.goto(`${origin}${base}/?${shown}${path}`, { waitUntil: 'domcontentloaded' });
      return page;
    },
    /** If `SCREENSHOTS` names a folder, stores a screenshot there for people to look at. */
    shoot: (of: Page, picture: string): Promise<void> => storePicture(of, `${app}-${picture}`),
    /** Sets the responses to later calls, and to the calls that are still waiting because their reply was `never`. */
    answer: (answers: State['answers']) => remote('answer', answers),
    /** Sends this event over the feed. */
    emit: <T extends EventType>(type: T, data: CloudEvent<T>['data']) => remote('emit', { type, data }),
    standing: (standing: FeedStanding) => remote('stand', standing),
    /** Signs in this user on the page; null signs the user out. */
    signIn: (who: Who | null) => remote('signIn', who),
    /** Returns all calls with this name that the page has made since `show`. */
    calls: async (name: MadeCall['call']): Promise<MadeCall[]> =>
      (await page.evaluate(() => (globalThis as { standRemote?: Remote }).standRemote?.calls ?? [])).filter(
        ({ call }) => call === name,
      ),
    /**
     * Checks for errors on the page. Must be called after each test. @throws Error if there was an error that the test does not
     * expect
     */
    check: () => throwErrors(context),
    close: async (): Promise<void> => {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Returns a script that sets the page's state. The storage is filled only once, so a reload does not reset what the page has
 * stored.
 */
const scriptOf = (state: State, shown: number, language = 'en'): string => `
  // Full screen is turned off, because a window in full screen ignores the size that a test sets.
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

/**
 * The files to serve: those in the app's `folder` under the path `base`, and all others, such as dish pictures, from the folder
 * `rest`.
 */
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
    else if (path.startsWith('/menu-pictures/')) send(types['.svg'] ?? '', uploaded);
    else {
      const file = extname(path) === '' ? '/index.html' : path;
      readFile(path === '/axe.js' ? axe : join(isOfApp ? folder : rest, file)).then(
        // The files never change at this origin, which has its own port.
        (body) => send(types[extname(file)] ?? 'application/octet-stream', body, 'max-age=3600'),
        () => response.writeHead(404).end(),
      );
    }
  });
}
