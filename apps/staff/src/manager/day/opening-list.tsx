import { CallFailure, type Client } from '@comanda/client/core';
import { tables as allTables } from '@comanda/client/collections/tables';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { mainDrawer } from '../../cash/drawer-name.ts';
import { onDeviceLater } from '../../on-device-later.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import './opening-list.css';

type Props = { client: Client; session: ManagerSession };
type Step = 'identity' | 'money' | 'menu' | 'tables' | 'print' | 'people' | 'tablet' | 'float' | 'order';

const pageOf: Readonly<Record<Step, string>> = {
  identity: 'restaurant',
  money: 'restaurant',
  menu: 'menu',
  tables: 'tables',
  print: 'tables',
  people: 'people',
  tablet: 'screens',
  float: 'cash',
  // A table's code is there to scan.
  order: 'tables',
};
const steps = Object.keys(pageOf) as readonly Step[];
/** The name of a restaurant to which nobody has given one. */
const defaultName = 'Comanda';

/** What a new restaurant still needs, with the page for each step. Disappears when everything is done. */
export function OpeningList(props: Props) {
  return onDeviceLater.openingList.signal.value === 'hidden' ? null : <Steps {...props} />;
}

function Steps({ client, session }: Props) {
  const words = managerMessages().opening;
  const done = useDone({ client, session });
  const isAllDone = done !== null && steps.every((step) => done[step]);
  useEffect(() => {
    if (isAllDone) onDeviceLater.openingList.write('hidden');
  }, [isAllDone]);
  // Half of the list would look as if the other half were done.
  if (done === null || isAllDone) return null;
  return (
    <section class="manager-form opening-list" aria-label={words.title}>
      <div class="wrap opening-list-head">
        <h2 class="manager-subtitle">{words.title}</h2>
        <p class="dim">{words.count(steps.filter((step) => done[step]).length, steps.length)}</p>
      </div>
      <ul>
        {steps.map((step) => (
          <li key={step}>
            <a href={`#/manager/${pageOf[step]}`} class={done[step] ? 'opening-list-done' : undefined}>
              <span class="centre opening-list-mark">{done[step] && <Icon name="check" size={20} />}</span>
              <span>
                {words.steps[step]}
                <span class="visually-hidden"> {done[step] ? words.done : words.toDo}</span>
              </span>
              <Icon name="chevron" size={20} />
            </a>
          </li>
        ))}
      </ul>
      <Button kind="quiet" size="small" onClick={() => onDeviceLater.openingList.write('hidden')}>
        {words.hide}
      </Button>
    </section>
  );
}

/** Returns which steps are done; null until that is known. */
function useDone({ client, session }: Props): Record<Step, boolean> | null {
  const tables = useCollection(client, allTables);
  const [found, setFound] = useState<Pick<Record<Step, boolean>, 'people' | 'tablet' | 'float' | 'order'> | null>(null);
  useEffect(() => {
    let isCurrent = true;
    async function read(): Promise<void> {
      const [users, tablets, drawers, orders] = await Promise.all([
        client.calls.listUsers({ limit: 100 }),
        client.calls.listTablets(),
        client.calls.listCashDrawers(),
        client.calls.listOrders({ limit: 1 }),
      ]).catch((error: unknown) => {
        // The list is only a help: the pages themselves say what failed.
        if (error instanceof CallFailure) return [null, null, null, null] as const;
        throw error;
      });
      if (isCurrent && users && tablets && drawers && orders)
        setFound({
          people: users.some(({ role }) => role === 'waiter'),
          tablet: tablets.length > 0,
          float: drawers.some(({ name, counted_at: at }) => name === mainDrawer && at !== null),
          order: orders.length > 0,
        });
    }
    void read();
    return () => {
      isCurrent = false;
    };
  }, [client]);
  const restaurant = session.restaurant.settings.value;
  const dishes = session.menu.dishes.value;
  if (!found || !restaurant || !dishes || !tables.isLoaded.value) return null;
  const { name, logo, service_charge: charge, tip_suggestions: tips } = restaurant;
  return {
    ...found,
    identity: name !== defaultName && Boolean(logo),
    money: Number(charge.rate) > 0 || tips.length > 0,
    menu: dishes.length > 0,
    tables: tables.rows.value.length > 0,
    print: session.printing.hasPrinted.value,
  };
}
