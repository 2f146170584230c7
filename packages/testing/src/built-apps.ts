import type { appFolders } from '@comanda/local-stack/build-apps';

/** The environment variable with a URL from which Jest's workers get the folders of the built apps. */
export const builtAppsVariable = 'COMANDA_BUILT_APPS';

type Folders = ReturnType<typeof appFolders>;

/**
 * Returns the gateway settings that contain the folders of both web apps. The apps are built once per test run, when a test file
 * first calls this.
 */
export const builtApps = (): Promise<Folders> => askFor('apps');
/** Like `builtApps`, but builds the apps with a fake client, so that tests run them without services (see `stand/stand.ts`). */
export const builtStand = (): Promise<Folders> => askFor('stand');

async function askFor(what: 'apps' | 'stand'): Promise<Folders> {
  const url = process.env[builtAppsVariable];
  if (url === undefined) throw new Error('Nobody builds the apps: run this file with npm test.');
  const response = await fetch(`${url}/${what}`);
  const { folders, error } = (await response.json()) as { folders: Folders; error?: string };
  if (error !== undefined) throw new Error(`building the apps: ${error}`);
  return folders;
}
