import type { Client } from '@comanda/client/core';
import type { CashCount, CashDrawer } from '@comanda/contracts/cash-drawers';
import { Button } from '@comanda/ui/button.tsx';
import { formatUntil } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import { CountForm } from '../../cash/count-form.tsx';
import { drawerName, mainDrawer } from '../../cash/drawer-name.ts';
import { Panel } from '../panel.tsx';
import { CountRows } from './count-rows.tsx';
import { LastCount, LeaveForm } from './last-count.tsx';
import { cashMessages } from './messages.ts';

type DrawerCountProps = {
  client: Pick<Client, 'calls' | 'newKey' | 'now' | 'who'>;
  drawer: CashDrawer;
  drawers: readonly CashDrawer[];
  /** Its counts, newest first: at least all of the last day on which it was counted. */
  counts: readonly CashCount[];
  /** The running day, if its counts should stay beside the form. Absent if a list shows them anyway. */
  runningDay?: number;
  currency: string;
  onChanged: () => void;
};

/**
 * A cash drawer's count. If cash has moved since the last one, or nothing is counted yet, it asks for a count. Otherwise it shows
 * what the last one has found, and asks what stays.
 */
export function DrawerCount({ client, drawer, drawers, counts, runningDay, currency, onChanged }: DrawerCountProps) {
  const words = cashMessages();
  const [last, ...earlier] = counts;
  const [isAgain, setIsAgain] = useState(false);
  const isDone = last !== undefined && !drawer.moved && !isAgain;
  const ofDay = counts.filter((count) => count.day === runningDay);
  const others = drawers.filter(({ name, status }) => name !== drawer.name && status === 'active');
  return (
    <Panel title={drawerName(drawer)}>
      {!isDone && <p class="dim">{stateText(drawer, client.now())}</p>}
      {isDone ? (
        <>
          <LastCount
            counts={[last, ...earlier.filter(({ day }) => day === last.day)]}
            currency={currency}
            nowMs={client.now()}
          />
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
        <>
          {ofDay.length > 0 && (
            <>
              <p class="dim">{words.count.ofDay}</p>
              <CountRows counts={ofDay} currency={currency} isOneDay />
            </>
          )}
          <CountForm
            client={client}
            drawer={drawer}
            currency={currency}
            onCounted={() => {
              setIsAgain(false);
              onChanged();
            }}
            onCancel={isAgain ? () => setIsAgain(false) : undefined}
          />
        </>
      )}
    </Panel>
  );
}

/** Says whether cash has moved since the last count. Nobody knows what the main cash drawer held before its first one. */
function stateText({ name, moved, counted_at: countedAt }: CashDrawer, nowMs: number): string {
  const words = cashMessages();
  if (countedAt !== null) return moved ? words.moved : words.unmoved(formatUntil(countedAt, nowMs));
  if (name !== mainDrawer) return words.movedEver;
  return moved ? words.firstAfterMoves : words.firstBeforeMoves;
}
