import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { seedStack } from './seed-stack.ts';
import { watchErrors } from './browser.ts';
import { startDevices } from './devices.ts';
import { builtApps } from './built-apps.ts';
import { caller, type Called } from './call.ts';
import { isolatedServers, type IsolatedServers } from './isolated-servers.ts';
import { reuseDatabases } from './reused-databases.ts';
import { startStack } from './stack.ts';
import { storePicture } from './store-picture.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** An order as the API returns it. */
export type Order = Called['body'];
/** A separate device with empty storage, on which no user is signed in. */
export type Screen = { context: BrowserContext; page: Page };

type Ending = () => Promise<unknown>;
type Settings = Record<string, string>;
/**
 * The app to start. `name` is the test file's name, with letters, digits and dashes. `settings` apply to all services.
 * `processes` are the services that the test stops or kills.
 */
type WebAppOptions = {
  app: 'guest' | 'staff';
  name: string;
  settings?: Settings | undefined;
  processes?: readonly ServiceName[] | undefined;
};

/** Starts a web app as it is built for production, with a complete stack, the demo's menu, and a browser. */
export async function startWebApp(options: WebAppOptions) {
  /**
   * Functions that close everything that was opened. They are called even if the start fails, because anything left open would
   * hide the cause.
   */
  const opened: Ending[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await openWebApp(opened, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWebApp(opened: Ending[], { app, name, settings, processes }: WebAppOptions) {
  const devices = await startDevices();
  opened.push(devices.close);
  const [apps, { servers, giveBack }] = await Promise.all([builtApps(), serversFor(name, processes)]);
  const broker = await startTcpProxy(servers.rabbitmqUrl);
  opened.push(broker.close);
  const stack = await startStack(
    { ...servers, rabbitmqUrl: broker.url },
    { ...apps, RATE_LIMIT_SIGN_IN: '1000', RATE_LIMIT_STEP_UP: '1000', ...settings },
    processes,
  );
  opened.push(async () => {
    await stack.close();
    giveBack();
  });
  await seedStack(stack);
  return {
    stack,
    /** The folder that contains the built app. */
    folder: app === 'staff' ? apps.KITCHEN_APP_FOLDER : apps.TABLE_APP_FOLDER,
    /** Calls the gateway as a manager. */
    manager: caller(stack.gatewayUrl, { token: stack.managerToken }),
    /** Stops all traffic between the services and the broker; with `false`, resumes it. */
    freezeBroker: broker.freeze,
    /** Opens a screen in English and without animations, unless `look` says otherwise. */
    newScreen: async (look: BrowserContextOptions): Promise<Screen> => {
      const context = await devices.newDevice({
        locale: 'en-US',
        reducedMotion: 'reduce',
        // A service worker would serve the page's files itself, so tests could not delay the requests for them.
        serviceWorkers: 'block',
        ...look,
      });
      watchErrors(context);
      return { context, page: await context.newPage() };
    },
    /** Closes all screens. @throws Error if a page had errors that its test does not expect */
    closeScreens: devices.closeDevices,
    /** If `SCREENSHOTS` names a folder, stores a screenshot there for people to look at. */
    shoot: (page: Page, picture: string): Promise<void> => storePicture(page, `${app}-${picture}`),
  };
}

type Reused = Awaited<ReturnType<typeof reuseDatabases>>;

/**
 * Returns names on the servers for an app's stack. If a service runs in a separate process, the databases are new, because that
 * service prepares its own database and may be killed during a transaction.
 */
async function serversFor(name: string, processes: readonly ServiceName[] = []): Promise<Reused> {
  const servers: IsolatedServers = await isolatedServers(name);
  return processes.length > 0 ? { servers, giveBack: () => undefined } : reuseDatabases(servers, 'stack');
}
