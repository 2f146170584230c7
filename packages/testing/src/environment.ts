import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { serverVariables, type ServerUrls } from '@comanda/local-stack/servers/ephemeral-servers';

/** The URLs of the test servers, which `npm test` starts and passes in the environment. */
export function serverUrls(): ServerUrls {
  const missing = serverVariables.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not set: run npm test, or give Jest the lines that npm run servers prints`);
  return Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as ServerUrls;
}

/** The prefix of the names of all databases, virtual hosts and keys of this run. */
export const testRun = (): string => process.env['COMANDA_TEST_RUN'] ?? 'test';

/** The folder for the data of servers that belong to one test. */
export const testDataDir = (): string => process.env['COMANDA_TEST_DATA'] ?? join(comandaDir, 'test-data');

/** Whether `npm test` started all servers, only for this run. */
export const serversAreEphemeral = (): boolean => process.env['COMANDA_TEST_SERVERS'] === 'ephemeral';

/** The folder where Node caches compiled sources: services start in half the time. */
export const compileCacheDir = (): string => process.env['NODE_COMPILE_CACHE'] ?? join(comandaDir, 'compile-cache');
