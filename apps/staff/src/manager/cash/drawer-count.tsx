import type { Client } from '@comanda/client/core';
import type { CashCount, CashDrawer } from '@comanda/contracts/cash-drawers';
import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import { Panel } from '../panel.tsx';
import { CountForm } from './count-form.tsx';
import { drawerName } from './drawer-name.ts';
import { LastCount, LeaveForm } from './last-count.tsx';
import { cashMessages } from './messages.ts';

type DrawerCountProps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  drawer: CashDrawer;
  drawers: readonly CashDrawer[];
  /** The newest count; null if there is none. */
  last: CashCount | null;
  currency: string;
  onChanged: () => void;
};

/**
 * A cash drawer's count. If cash has moved since the last one, or nothing is counted yet, it asks for a count. Otherwise it shows
 * what the last one has found, and asks what stays.
 */
export function DrawerCount({ client, drawer, drawers, last, currency, onChanged }: DrawerCountProps) {
  const words = cashMessages();
  const [isAgain, setIsAgain] = useState(false);
  const { moved, counted_at: countedAt } = drawer;
  const isDone = last !== null && !moved && !isAgain;
  const onCounted = (): void => {
    setIsAgain(false);
    onChanged();
  };
  const others = drawers.filter(({ name, status }) => name !== drawer.name && status === 'active');
  return (
    <Panel title={drawerName(drawer)}>
      {!isDone && (
        <p class="manager-dim">
          {countedAt === null ? words.movedEver : moved ? words.moved : words.unmoved(formatTime(countedAt))}
        </p>
      )}
      {isDone ? (
        <>
          <LastCount count={last} currency={currency} />
          {last.left === last.counted && last.left !== '0.00' && (
            <LeaveForm
              key={last.id}
              client={client}
              count={last}
              drawer={drawer}
              others={others}
              currency={currency}
              onChanged={onChanged}
            />
          )}
          <Button kind="quiet" size="small" onClick={() => setIsAgain(true)}>
            {words.count.again}
          </Button>
        </>
      ) : (
        <CountForm client={client} drawer={drawer} currency={currency} onCounted={onCounted} />
      )}
    </Panel>
  );
}
