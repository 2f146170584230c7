import type { Setting } from '@comanda/shared/config/load-config';
import { serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';

/** A setting, with the declaration from each service that has it. */
export type ListedSetting = {
  env: string;
  about: string;
  isSecret: boolean;
  declared: Map<ServiceName, Setting<unknown>>;
};

/**
 * Lists the settings of all services by name.
 * @throws Error if two services describe a setting differently
 */
export async function listSettings(): Promise<ListedSetting[]> {
  const byName = new Map<string, ListedSetting>();
  for (const service of serviceNames.toSorted()) {
    for (const setting of Object.values(await settingsOfService(service))) {
      const { env, about, secret } = setting;
      const listed = byName.get(env) ?? { env, about, isSecret: secret !== undefined, declared: new Map() };
      if (listed.about !== about) throw new Error(`${env} has another description in ${service}`);
      listed.declared.set(service, setting);
      byName.set(env, listed);
    }
  }
  return [...byName.values()].toSorted((a, b) => (a.env < b.env ? -1 : 1));
}

/** Returns the default as text for an environment variable; undefined if the setting requires a value. */
export function defaultOf({ schema }: Setting<unknown>): string | undefined {
  const { value, error } = schema.validate(undefined);
  if (error) return undefined;
  return (Array.isArray(value) ? value : [value ?? '']).map(String).join(',');
}

/** Groups services by the result of `valueOf` for their declarations. */
export function byValue<T>(
  { declared }: ListedSetting,
  valueOf: (setting: Setting<unknown>) => T,
): Map<T, ServiceName[]> {
  return Map.groupBy(declared.keys(), (service) => valueOf(declared.get(service) as Setting<unknown>));
}
