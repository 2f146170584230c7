import type { Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { useState } from 'preact/hooks';
import { onDeviceLater } from '../on-device-later.ts';
import './choose-drawer.css';
import { drawerName, mainDrawer } from './drawer-name.ts';
import { countMessages } from './messages.ts';
import { useCashDrawers } from './use-cash-drawers.ts';

/** Returns the name of the cash drawer that this device uses; null for the main one. */
export const usedDrawer = (): string | null => onDeviceLater.cashDrawer.signal.value?.name ?? null;

type ChooseDrawerProps = {
  client: Pick<Client, 'calls'>;
  /** Whether cash is put into it or taken from it. */ is: 'to' | 'from';
};

/**
 * Says into which cash drawer this device's users put cash, or from which they take it, and lets them choose another one, once for the
 * device. Nothing if there is only one.
 */
export function ChooseDrawer({ client, is }: ChooseDrawerProps) {
  const words = countMessages();
  const used = onDeviceLater.cashDrawer.signal.value ?? { name: mainDrawer, label: mainDrawer };
  const { drawers } = useCashDrawers(client);
  const [isOpen, setIsOpen] = useState(false);
  const main = drawers?.find(({ name }) => name === mainDrawer);
  const hasChoice = drawers !== null && drawers.length > 1;
  if (!hasChoice && used.name === mainDrawer) return null;
  const shown = used.name === mainDrawer && main ? main : used;
  return (
    <div class="choose-drawer">
      <Button
        kind="quiet"
        size="small"
        aria-expanded={isOpen}
        aria-disabled={!hasChoice}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words[is](drawerName(shown))}
      </Button>
      {isOpen && drawers && (
        <fieldset>
          <legend>{words.choose}</legend>
          {drawers.map(({ name, label }) => (
            <Chip
              key={name}
              pressed={name === used.name}
              onClick={() => {
                onDeviceLater.cashDrawer.write(name === mainDrawer ? null : { name, label });
                setIsOpen(false);
              }}
            >
              {drawerName({ name, label })}
            </Chip>
          ))}
        </fieldset>
      )}
    </div>
  );
}
