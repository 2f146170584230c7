import type { Client } from '@comanda/client/core';
import { isWeakTabletPin } from '@comanda/contracts/weak-pin';
import { Button } from '@comanda/ui/button.tsx';
import { ChoosePin, type EnteredPin } from '@comanda/ui/choose-pin.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { useState } from 'preact/hooks';
import { tabletMessages } from './messages.ts';
import './tablet-pin-dialog.css';
import { tabletPinLength } from './tablet-pin-length.ts';

/** The dialog in which waiters set their tablet PIN: four digits, entered twice, and then the password. */
export function TabletPinDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const words = tabletMessages();
  const [isSet, setIsSet] = useState(false);
  async function set({ password, pin }: EnteredPin): Promise<void> {
    await client.calls.setTabletPin({ password, tablet_pin: pin });
    setIsSet(true);
  }
  const labels = { password: words.password, current: '', new: words.choose, repeat: words.repeat };
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      {isSet ? (
        <div class="form tablet-pin">
          <p role="status">{words.done}</p>
          <Button kind="primary" size="large" onClick={onClose}>
            {words.close}
          </Button>
        </div>
      ) : (
        <ChoosePin
          class="form tablet-pin"
          steps={['new', 'repeat', 'password']}
          length={tabletPinLength}
          isWeak={isWeakTabletPin}
          labelOf={(step) => labels[step]}
          buttonOf={(step) => (step === 'password' ? words.set : null)}
          set={set}
        >
          {({ step, fault, control, button }) => (
            <>
              {step === 'new' && <p>{words.why}</p>}
              {fault !== null && (
                <ErrorPanel
                  words={
                    typeof fault === 'object'
                      ? failureWords(fault.error)
                      : { happened: words[fault], toDo: words[`${fault}ToDo`] }
                  }
                />
              )}
              {step !== 'password' && <h3 class="tablet-pin-step">{labels[step]}</h3>}
              {control}
              {button}
            </>
          )}
        </ChoosePin>
      )}
    </Dialog>
  );
}
