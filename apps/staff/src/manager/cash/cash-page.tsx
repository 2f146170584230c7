import type { Client } from '@comanda/client/core';
import { classNames } from '@comanda/ui/class-names.ts';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { useFresh } from '../use-fresh.ts';
import './cash-page.css';
import { Counts } from './counts.tsx';
import { DrawerCount } from './drawer-count.tsx';
import { currencyOf, drawerName, mainDrawer } from './drawer-name.ts';
import { EnterCash } from './enter-cash.tsx';
import { ManageDrawers } from './manage-drawers.tsx';
import { cashMessages } from './messages.ts';
import { Movements } from './movements.tsx';

type CashPageProps = {
  client: Client;
  session: ManagerSession;
  /** The cash drawer in the address. */ chosen?: string | undefined;
};

/** Cash drawers: counts, and cash that no bill explains. */
export function CashPage({ client, session, chosen = mainDrawer }: CashPageProps) {
  const words = cashMessages();
  const { value: drawers, failure, reload } = useFresh(() => client.calls.listCashDrawers());
  const active = (drawers ?? []).filter(({ status }) => status === 'active');
  const drawer = active.find(({ name }) => name === chosen) ?? active.find(({ name }) => name === mainDrawer);
  return (
    <>
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{words.hint}</p>
      </div>
      <Failure of={failure} onRetry={() => void reload()} />
      {drawers === null && failure === null && <LoadingRows />}
      {active.length > 1 && (
        <nav class="manager-chips cash-drawers" aria-label={words.drawers}>
          {active.map((each) => (
            <a
              key={each.name}
              href={`#/manager/cash/${each.name}`}
              class={classNames('chip', each === drawer && 'chip-on')}
              aria-current={each === drawer ? 'page' : undefined}
            >
              {drawerName(each)}
            </a>
          ))}
        </nav>
      )}
      {drawers && drawer && (
        <div class="cash">
          <Drawer
            key={drawer.name}
            client={client}
            name={drawer.name}
            currency={currencyOf(session.restaurant)}
            onChanged={() => void reload()}
          />
          <ManageDrawers client={client} drawers={drawers} onChanged={() => void reload()} />
        </div>
      )}
    </>
  );
}

type DrawerProps = { client: Client; name: string; currency: string; onChanged: () => void };

function Drawer({ client, name, currency, onChanged }: DrawerProps) {
  // Loaded together, so that the newest count and whether cash has moved since fit each other.
  const { value, failure, reload } = useFresh(async () => {
    const [drawers, counts, movements] = await Promise.all([
      client.calls.listCashDrawers(),
      client.calls.listCounts({ name, limit: 20 }),
      client.calls.listMovements({ name, limit: 100 }),
    ]);
    return { drawers, counts, movements };
  });
  const drawer = value?.drawers.find((each) => each.name === name);
  const problem = <Failure of={failure} onRetry={() => void reload()} />;
  if (!value || !drawer) return failure === null ? <LoadingRows /> : problem;
  const { drawers, counts, movements } = value;
  const change = (): void => {
    void reload();
    onChanged();
  };
  const props = { client, drawer, drawers, currency, onChanged: change };
  return (
    <>
      {problem}
      <DrawerCount {...props} last={counts[0] ?? null} />
      <EnterCash {...props} />
      <Movements {...props} movements={movements} />
      <Counts counts={counts} currency={currency} />
    </>
  );
}
