import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useState } from 'preact/hooks';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import './call.css';

// Loaded when the sheet opens: a call needs the network anyway.
const callSheet = lazyModule(() => import('./call-sheet.tsx'));

/** The bell in a page's head, for guests at a table. It is filled while a waiter is called. */
export function CallButton() {
  const words = messages();
  const { seat, calls } = useGuest();
  const [isOpen, setIsOpen] = useState(false);
  // A customer stays signed in when the table is closed, but no longer has a table.
  if (!seat.isSeated.value || seat.table.value === null) return null;
  const open = (): void => {
    calls.forgetFailure();
    setIsOpen(true);
  };
  return (
    <>
      <Button
        size="small"
        class={classNames('call-button', calls.waiting.value.length > 0 && 'call-waiting')}
        icon={<Icon name="bell" />}
        onClick={open}
      >
        {words.call}
      </Button>
      <Dialog title={words.callTitle} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Lazy module={callSheet}>{({ CallSheet }) => <CallSheet onClose={() => setIsOpen(false)} />}</Lazy>
      </Dialog>
    </>
  );
}
