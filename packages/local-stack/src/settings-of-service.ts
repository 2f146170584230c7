import { join } from 'node:path';
import type { Settings } from '@comanda/shared/config/load-config';
import { root } from './root.ts';

/** Returns the settings that `services/<service>/src/config.ts` declares. */
export async function settingsOfService(service: string): Promise<Settings> {
  const config = (await import(join(root, 'services', service, 'src/config.ts'))) as Record<string, Settings>;
  const [settings] = Object.values(config);
  if (!settings) throw new Error(`services/${service}/src/config.ts exports no settings`);
  return settings;
}
