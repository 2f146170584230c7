import type { appFolders } from '@comanda/local-stack/build-apps';

/** The environment variable with the URL from which Jest's workers request the apps' folders. */
export const builtAppsVariable = 'COMANDA_BUILT_APPS';

type Folders = ReturnType<typeof appFolders>;

/**
 * Returns the folders of both web apps as gateway settings. The apps are built once per run, when a test file first needs them.
 */
export const builtApps = (): Promise<Folders> => askFor('apps');
/** Like `builtApps`, but for the apps in the stand, which run without a server (`stand/stand.ts`). */
export const builtStand = (): Promise<Folders> => askFor('stand');

async function askFor(what: 'apps' | 'stand'): Promise<Folders> {
  const url = process.env[builtAppsVariable];
  if (url === undefined) throw new Error('Nobody builds the apps: run this file with npm test.');
  const response = await fetch(`${url}/${what}`);
  const { folders, error } = (await response.json()) as { folders: Folders; error?: string };
  if (error !== undefined) throw new Error(`building the apps: ${error}`);
  return folders;
}
