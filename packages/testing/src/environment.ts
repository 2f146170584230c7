import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { serverVariables, type ServerUrls } from '@comanda/local-stack/servers/ephemeral-servers';

/** Where the test servers are: `npm test` starts them and says so in the environment. */
export function serverUrls(): ServerUrls {
  const missing = serverVariables.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not set: run npm test, or give Jest the lines that npm run servers prints`);
  return Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as ServerUrls;
}

/** What the names of all databases, virtual hosts and keys of this run begin with. */
export const testRun = (): string => process.env['COMANDA_TEST_RUN'] ?? 'test';

/** Where servers that belong to one test have their data. */
export const testDataDir = (): string => process.env['COMANDA_TEST_DATA'] ?? join(comandaDir, 'test-data');

/** Whether `npm test` started all the servers, for this run alone. */
export const serversAreEphemeral = (): boolean => process.env['COMANDA_TEST_SERVERS'] === 'ephemeral';

/** Where Node keeps compiled sources: services start in half of the time. */
export const compileCacheDir = (): string => process.env['NODE_COMPILE_CACHE'] ?? join(comandaDir, 'compile-cache');
