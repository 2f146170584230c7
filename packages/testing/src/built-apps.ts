import type { appFolders } from '@comanda/local-stack/build-apps';

/** Where Jest's workers ask for the apps. */
export const builtAppsVariable = 'COMANDA_BUILT_APPS';

/** The folders of both web apps as settings of the gateway. They are built once a run, when the first test file asks. */
export async function builtApps(): Promise<ReturnType<typeof appFolders>> {
  const url = process.env[builtAppsVariable];
  if (url === undefined) throw new Error('Nobody builds the apps: run this file with npm test.');
  const answer = await fetch(url);
  const { folders, error } = (await answer.json()) as { folders: ReturnType<typeof appFolders>; error?: string };
  if (error !== undefined) throw new Error(`building the apps: ${error}`);
  return folders;
}
