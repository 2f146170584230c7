import type { appFolders } from '@comanda/local-stack/build-apps';
import { askShared } from './ask-shared.ts';

/** The folders of both web apps as settings of the gateway. They are built once a run, when the first test file asks. */
export const builtApps = async (): Promise<ReturnType<typeof appFolders>> =>
  (await askShared('apps')) as ReturnType<typeof appFolders>;
