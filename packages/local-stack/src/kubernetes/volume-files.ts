import type { Volume } from './pod.ts';

/** The object that a volume is made of, as in a path of the API: `secrets/comanda-orders`. */
export const sourceOf = ({ secret, configMap }: Volume): string =>
  secret ? `secrets/${secret.secretName}` : `configmaps/${configMap?.name}`;

/**
 * The files of a volume, from the `data` of its object; empty if there is no such object.
 * @throws Error that names a key that is missing, unless the volume is optional
 */
export function filesOf(
  volume: Volume,
  data: Readonly<Record<string, string>>,
): { path: string; content: string | Buffer }[] {
  const { items, optional = false } = volume.secret ?? volume.configMap ?? {};
  const wanted = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  return wanted.flatMap(({ key, path }) => {
    const value = data[key];
    if (value !== undefined) return [{ path, content: volume.secret ? Buffer.from(value, 'base64') : value }];
    if (optional) return [];
    throw new Error(`${sourceOf(volume)} has no key ${key}`);
  });
}
