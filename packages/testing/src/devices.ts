import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { closeContext, startBrowser } from './browser.ts';

export type Devices = Awaited<ReturnType<typeof startDevices>>;

/** A browser with as many devices as a test needs. The tabs of a device share what is stored. */
export async function startDevices() {
  const browser = await startBrowser();
  let contexts: BrowserContext[] = [];
  return {
    newDevice: async (look: BrowserContextOptions): Promise<BrowserContext> => {
      const context = await browser.newContext(look);
      contexts.push(context);
      return context;
    },
    /**
     * Call it after each test. @throws Error if a page had errors that `watchErrors` has recorded and the test does not
     * expect
     */
    closeDevices: async (): Promise<void> => {
      const open = contexts;
      contexts = [];
      await Promise.all(open.map(closeContext));
    },
    close: (): Promise<void> => browser.close(),
  };
}
