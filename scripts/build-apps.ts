import { join } from 'node:path';
import { build } from 'vite';
import { root } from './root.ts';

export const appNames = ['table', 'kitchen'] as const;
type AppName = (typeof appNames)[number];

/** The folders of the built apps, as the gateway's settings name them. */
export const appFolders = (into: string): { TABLE_APP_FOLDER: string; KITCHEN_APP_FOLDER: string } => ({
  TABLE_APP_FOLDER: join(into, 'table'),
  KITCHEN_APP_FOLDER: join(into, 'kitchen'),
});

/** Builds both web apps into the folder `into`; takes about a second. */
export async function buildApps(into: string): Promise<void> {
  const buildApp = (name: AppName): Promise<unknown> =>
    build({
      root: join(root, 'apps', name),
      logLevel: 'warn',
      build: { outDir: join(into, name), emptyOutDir: true },
    });
  await Promise.all(appNames.map(buildApp));
}
