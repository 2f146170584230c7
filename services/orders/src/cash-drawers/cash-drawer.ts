import { mainCashDrawer, type cashDrawerStatuses } from '@comanda/contracts/cash-drawers';
import { problem, type Problem } from '@comanda/contracts/problem';

type CashDrawerStatus = (typeof cashDrawerStatuses)[number];
/** A stored cash drawer. What it holds follows from its counts and movements. */
export type CashDrawer = { name: string; label: string; status: CashDrawerStatus };
/** The status of each cash drawer, by name. */
export type CashDrawers = ReadonlyMap<string, CashDrawerStatus>;

/** The cash drawer that always exists, for writes that name no other one. */
export const onlyMain: CashDrawers = new Map([[mainCashDrawer, 'active']]);

export const isActive = (cashDrawers: CashDrawers, name: string): boolean => cashDrawers.get(name) === 'active';

/** `pointer`: where the request names the cash drawer. */
export const unknownDrawer = (pointer: string): Problem =>
  problem('unprocessable_content', { errors: [{ pointer, detail: 'must be a cash drawer that is not retired' }] });
export const retiredDrawer = (): Problem =>
  problem('unprocessable_content', {
    errors: [{ pointer: '/name', detail: 'is retired: bring it back first', in: 'path' }],
  });
