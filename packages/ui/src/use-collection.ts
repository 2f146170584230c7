import type { Client, Collection, CollectionOptions, ResourceName, Resources } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';

/** Opens a collection for as long as the component is shown. `options` are those of the first render. */
export function useCollection<N extends ResourceName>(
  client: Pick<Client, 'collection'>,
  name: N,
  options?: CollectionOptions<N>,
): Collection<Resources[N]> {
  const [collection] = useState(() => client.collection(name, options));
  useEffect(() => collection.close, [collection]);
  return collection;
}
