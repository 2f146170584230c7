import type { Client } from '@comanda/client/core';
import type { CashDrawer } from '@comanda/contracts/cash-drawers';
import { useEffect, useState } from 'preact/hooks';
import { onDeviceLater } from '../on-device-later.ts';

/** A cash drawer that a device uses, with its name for times without a network. */
export type ChosenDrawer = Pick<CashDrawer, 'name' | 'label'>;

/**
 * Loads the cash drawers that aren't retired. If the one that this device uses was retired or renamed, the device follows. `drawers`
 * is null until they are loaded.
 */
export function useCashDrawers({ calls }: Pick<Client, 'calls'>) {
  const [drawers, setDrawers] = useState<readonly CashDrawer[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isLatest = true;
    const load = async (): Promise<void> => {
      try {
        const active = (await calls.listCashDrawers()).filter(({ status }) => status === 'active');
        if (!isLatest) return;
        const used = onDeviceLater.cashDrawer.get();
        const found = active.find(({ name }) => name === used?.name);
        if (used) onDeviceLater.cashDrawer.write(found ? { name: found.name, label: found.label } : null);
        setDrawers(active);
        setFailure(null);
      } catch (error) {
        if (isLatest) setFailure(error);
      }
    };
    void load();
    return () => void (isLatest = false);
  }, [calls, attempt]);
  return { drawers, failure, retry: () => setAttempt((before) => before + 1) };
}
