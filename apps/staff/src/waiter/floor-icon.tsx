import type { TableCall } from '@comanda/contracts/calls';
import { Icon, IconPath } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import type { FloorState } from './floor.ts';

const drawings = {
  /** A fork and a knife. */
  served: 'M7 3v6a2.500 2.500 0 0 0 5 0V3M9.500 3v18M17 3c-2 2-2.500 5-2.500 9H17M17 3v18',
  /** A broom. */
  to_clean: 'M19 3l-7 9M9 10.500l5 4M9 10.500L4 17l6 4 4-6.500M7 14.500l4.500 3.500',
};

/** The icon of a table's state. A table whose guests call has the icon of their wish. Free tables have none. */
export function FloorIcon({ state, call }: { state: FloorState; call: TableCall | undefined }) {
  if (state === 'wants') return <Icon name={call?.kind === 'bill' ? 'receipt' : 'bell'} size={22} />;
  if (state === 'ready') return <Icon name="waiter" size={22} />;
  if (state === 'paid') return <Icon name="check" size={22} />;
  if (state === 'cooking') return <Icon name="flame" size={22} />;
  if (state === 'ordering') return <LateIcon name="pencil" size={22} />;
  return state in drawings ? <IconPath path={drawings[state as keyof typeof drawings]} size={22} /> : null;
}
