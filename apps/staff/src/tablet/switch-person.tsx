import type { Client } from '@comanda/client/core';
import { Ask } from '@comanda/ui/ask.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { useState } from 'preact/hooks';
import { countUnsent } from '../device/unsent-work.ts';
import { onDevice } from '../on-device.ts';
import { tabletMessages } from './messages.ts';
import { makeRoom } from './next-person.ts';
import './switch-person.css';

/** On a registered tablet, shows who is signed in. One tap hands over to the next person; it asks first if work is unsent. */
export function SwitchPerson({ client }: { client: Client }) {
  const words = tabletMessages();
  const [isAsking, setIsAsking] = useState(false);
  const who = client.who();
  if (!who || onDevice.tablet.get() === null) return null;
  /** Counted at the tap, because this button isn't drawn again after a bump. */
  const hasWork = (): boolean => {
    const { bumps, waiterWork } = countUnsent(who.userId);
    return bumps + waiterWork > 0;
  };
  return (
    <>
      <button
        type="button"
        class="tool switch-person"
        aria-label={words.switchPerson(who.name)}
        onClick={() => (hasWork() ? setIsAsking(true) : void makeRoom(client))}
      >
        <LateIcon name="account" />
        <span>{who.name}</span>
      </button>
      {isAsking && (
        <div class="switch-person-unsent sheet">
          <Ask
            question={words.switchAsk}
            yes={words.switchAnyway}
            onYes={() => makeRoom(client)}
            onClose={() => setIsAsking(false)}
          >
            <p>{words.unsent}</p>
          </Ask>
        </div>
      )}
    </>
  );
}
