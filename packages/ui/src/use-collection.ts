import type { Client, Collection, Source } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';

/** Opens a collection for as long as the component is shown. `source` is that of the first render. */
export function useCollection<T>(client: Pick<Client, 'collection'>, source: Source<T>): Collection<T> {
  const [collection] = useState(() => client.collection(source));
  useEffect(() => collection.close, [collection]);
  return collection;
}
