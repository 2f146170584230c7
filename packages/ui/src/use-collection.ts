import type { Client, Collection, Source } from '@comanda/client/core';
import { useEffect, useState } from 'preact/hooks';

/** Opens a collection that is closed when the component is removed. Later changes of `source` are ignored. */
export function useCollection<T>(client: Pick<Client, 'collection'>, source: Source<T>): Collection<T> {
  const [collection] = useState(() => client.collection(source));
  useEffect(() => collection.close, [collection]);
  return collection;
}
