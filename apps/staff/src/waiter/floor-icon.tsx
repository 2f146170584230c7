import type { TableCall } from '@comanda/contracts/calls';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import type { FloorState } from './floor.ts';

const icons: Partial<Record<FloorState, IconName>> = {
  ready: 'waiter',
  ordering: 'pencil',
  paid: 'check',
  cooking: 'flame',
};
const drawings: Partial<Record<FloorState, string>> = {
  // A fork and a knife
  served: 'M7 3v6a2.500 2.500 0 0 0 5 0V3M9.500 3v18M17 3c-2 2-2.500 5-2.500 9H17M17 3v18',
  // A broom
  to_clean: 'M19 3l-7 9M9 10.500l5 4M9 10.500L4 17l6 4 4-6.500M7 14.500l4.500 3.500',
};

/** The icon of a table's state. A table whose guests call has the icon of their wish. Free tables have none. */
export function FloorIcon({ state, call }: { state: FloorState; call: TableCall | undefined }) {
  if (state === 'wants') return <Icon name={call?.kind === 'bill' ? 'receipt' : 'bell'} size={22} />;
  const name = icons[state];
  if (name) return <Icon name={name} size={22} />;
  const path = drawings[state];
  if (path === undefined) return null;
  return (
    <svg
      viewBox="0 0 24 24"
      width="22"
      height="22"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
