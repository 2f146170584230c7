import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { serverVariables, type ServerUrls } from '@comanda/local-stack/servers/ephemeral-servers';

/** Returns the URLs of the test servers, which `npm test` passes in the environment. */
export function serverUrls(): ServerUrls {
  const missing = serverVariables.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not set: run npm test, or give Jest the lines that npm run servers prints`);
  return Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as ServerUrls;
}

/** Returns the prefix that this test run uses for the names of databases, virtual hosts and Redis keys. */
export const testRun = (): string => process.env['COMANDA_TEST_RUN'] ?? 'test';

/** Returns the folder for the data of servers that only a single test uses. */
export const testDataDir = (): string => process.env['COMANDA_TEST_DATA'] ?? join(comandaDir, 'test-data');

/** Returns true if `npm test` started all servers for this run only. */
export const serversAreEphemeral = (): boolean => process.env['COMANDA_TEST_SERVERS'] === 'ephemeral';

/** Returns the folder in which Node caches compiled source files, which halves the time that a service needs to start. */
export const compileCacheDir = (): string => process.env['NODE_COMPILE_CACHE'] ?? join(comandaDir, 'compile-cache');
