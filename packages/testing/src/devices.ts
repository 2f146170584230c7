import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { closeContext, sharedBrowser } from './browser.ts';

export type Devices = Awaited<ReturnType<typeof startDevices>>;

/** Returns functions for any number of devices in a browser. Tabs on one device share its storage. */
export async function startDevices() {
  const browser = await sharedBrowser();
  let contexts: BrowserContext[] = [];
  return {
    newDevice: async (look: BrowserContextOptions): Promise<BrowserContext> => {
      const context = await browser.newContext(look);
      contexts.push(context);
      return context;
    },
    /**
     * Closes all devices. Must be called after each test. @throws Error if `watchErrors` has recorded errors that the test does
     * not expect
     */
    closeDevices: async (): Promise<void> => {
      const open = contexts;
      contexts = [];
      await Promise.all(open.map(closeContext));
    },
    /** Closes all devices, even if a test has failed. */
    close: async (): Promise<void> => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}
