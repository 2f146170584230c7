import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

/** Shown in place of the tables: they are loading, could not be loaded, or don't exist. */
export function NoTables({ session: { tables } }: { session: WaiterSession }) {
  const words = waiterMessages().tables;
  const failure = tables.failure.value;
  if (failure !== null) return <ErrorPanel words={failureWords(failure)} />;
  if (tables.tables.value.length > 0) return null;
  return tables.loadedAtMs.value > 0 ? <p>{words.none}</p> : <LoadingRows text={words.loading} />;
}
