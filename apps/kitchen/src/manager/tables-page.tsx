import { CallFailure } from '@comanda/client';
import type { Client, LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/users';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { formatDay } from '../parts/format-day.ts';
import { useAction } from '../parts/use-action.ts';
import { billOf, byTableName } from '../waiter/by-table.ts';
import type { ManagerSession } from './manager-session.ts';
import { managerFailureWords, managerMessages } from './messages.ts';
import { QrCode } from './qr-code.tsx';
import { printCodes } from './qr-sheet.tsx';

type Props = { client: Client; session: ManagerSession };
const readEveryMs = 20_000;
const billsForMs = 16 * 3_600_000;

/** The tables with their codes. */
export function TablesPage({ client, session }: Props) {
  const words = managerMessages().tables;
  const [tables, setTables] = useState<readonly Table[] | null>(null);
  const [orders, setOrders] = useState<readonly LiveOrder[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isAdding, setIsAdding] = useState(false);
  /** Tables whose code was made on this page: they must be printed. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());

  const read = useCallback(async (): Promise<void> => {
    try {
      setTables((await client.calls.listTables()).toSorted(byTableName));
      setFailure(null);
    } catch (error) {
      setFailure(error);
    }
    try {
      const all: LiveOrder[] = [];
      const from = new Date(session.now.peek() - billsForMs).toISOString();
      for await (const page of client.pages('listOrders', { from, limit: 200 })) all.push(...page);
      setOrders(all);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the cards stand without their bills
    }
  }, [client, session]);
  useEffect(() => {
    void read();
    const timer = setInterval(() => void read(), readEveryMs);
    return () => clearInterval(timer);
  }, [read]);

  const put = (table: Table): void => {
    setTables((before) =>
      [...(before ?? []).filter((each) => each.table !== table.table), table].toSorted(byTableName),
    );
    setFresh((before) => new Set([...before, table.table]));
  };
  const known = tables ?? [];
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.tables}</h1>
        <p>{tables && words.summary(known.length, known.filter(({ seating }) => seating !== null).length)}</p>
        {known.length > 0 && (
          <Button size="small" onClick={() => printCodes(known)}>
            {words.printAll(known.length)}
          </Button>
        )}
        <Button kind="primary" size="small" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
          {words.add}
        </Button>
      </div>
      {isAdding && (
        <AddTable
          client={client}
          known={known}
          onAdded={(table) => {
            put(table);
            setIsAdding(false);
          }}
        />
      )}
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      {tables?.length === 0 && <p>{words.none}</p>}
      <ul class="table-cards">
        {known.map((table) => (
          <li key={table.table}>
            <TableCard
              client={client}
              table={table}
              orders={orders}
              isFresh={fresh.has(table.table)}
              onReplaced={put}
              onRemoved={() => setTables(known.filter((each) => each !== table))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type AddTableProps = { client: Client; known: readonly Table[]; onAdded: (table: Table) => void };

function AddTable({ client, known, onAdded }: AddTableProps) {
  const words = managerMessages().tables;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const add = (): void => {
    const table = name.trim();
    // The same call replaces the code of a table that exists: that is asked for on its card.
    if (known.some((each) => each.table === table)) setError(words.exists(table));
    else if (!/^[A-Za-z0-9-]{1,16}$/.test(table)) setError(words.invalidName);
    else void run(async () => onAdded(await client.calls.putTable({ table })));
  };
  return (
    <form
      class="manager-form"
      aria-label={words.add}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        autocomplete="off"
        value={name}
        error={error}
        onInput={(value) => {
          setName(value);
          setError(undefined);
        }}
      />
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.add}
      </Button>
    </form>
  );
}

type TableCardProps = {
  client: Client;
  table: Table;
  orders: readonly LiveOrder[] | null;
  isFresh: boolean;
  onReplaced: (table: Table) => void;
  onRemoved: () => void;
};

function TableCard({ client, table, orders, isFresh, onReplaced, onRemoved }: TableCardProps) {
  const words = managerMessages().tables;
  const { failure, run, isBusy } = useAction();
  const [asking, setAsking] = useState<'replace' | 'remove' | null>(null);
  const name = table.table;
  const bill = orders && billOf(table, orders);
  const yes = async (): Promise<void> => {
    const isDone = await run(async () => {
      if (asking === 'replace') onReplaced(await client.calls.putTable({ table: name }));
      else await client.calls.deleteTable({ table: name });
    });
    if (isDone && asking === 'remove') onRemoved();
    else if (isDone) setAsking(null);
  };
  return (
    <article class={`table-card ${asking === null ? '' : 'table-card-asking'}`} aria-label={words.table(name)}>
      <div class="table-card-top">
        <a class="table-card-code" href={table.url} target="_blank" rel="noopener">
          <QrCode text={table.url} label={words.qr(name)} />
        </a>
        <div>
          <h2>{name}</h2>
          {asking === null ? (
            <>
              {table.seating !== null && <span>{words.seated}</span>}
              {table.seating === null && !bill?.orders.length && <span class="table-free">{words.free}</span>}
              {bill && bill.orders.length > 0 && (
                <>
                  <span>{words.openOrders(bill.openCount)}</span>
                  <strong>{formatMoney(bill.total, bill.currency)}</strong>
                </>
              )}
            </>
          ) : (
            <>
              <strong>{asking === 'replace' ? words.replaceAsk : words.removeAsk(name)}</strong>
              <span>{asking === 'replace' ? words.replaceHint : words.removeHint}</span>
            </>
          )}
        </div>
      </div>
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      {asking === null ? (
        <>
          <p class={isFresh ? 'manager-warning' : 'manager-dim'}>
            {isFresh ? words.printIt(formatTime(table.rotated_at)) : words.codeSince(formatDay(table.rotated_at))}
          </p>
          <div class="table-card-buttons">
            <Button size="small" aria-label={words.printOf(name)} onClick={() => printCodes([table])}>
              {words.print}
            </Button>
            <Button size="small" aria-label={words.newCodeOf(name)} onClick={() => setAsking('replace')}>
              {words.newCode}
            </Button>
            <IconButton label={words.removeOf(name)} onClick={() => setAsking('remove')}>
              <Icon name="trash" />
            </IconButton>
          </div>
        </>
      ) : (
        <div class="manager-pair">
          <Button size="small" autofocus onClick={() => setAsking(null)}>
            {words.keep}
          </Button>
          <Button kind="primary" size="small" aria-disabled={isBusy} onClick={() => void yes()}>
            {asking === 'replace' ? words.replace : words.remove}
          </Button>
        </div>
      )}
    </article>
  );
}
