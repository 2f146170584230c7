import { readFileSync } from 'node:fs';

/** The names of the services' databases. */
export type Databases = { orders: string; auth: string; transfers: string };

/** Parses the `DATABASES` setting. Ends the process with a one-line message if the setting is invalid. */
export function readDatabases(given = 'comanda_orders,comanda_auth,comanda_transfers'): Databases {
  const [orders, auth, transfers] = given.split(',');
  if (orders && auth && transfers) return { orders, auth, transfers };
  console.error('DATABASES must be three names, separated by commas: those of orders, auth-stepup and transfers.');
  return process.exit(1);
}

/** Reads a setting from the environment, or from the file in `NAME_FILE`. */
export const readSecret = (name: string): string =>
  process.env[name] ?? readFileSync(process.env[`${name}_FILE`] ?? '', 'utf8').trim();
