import { Button, IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useState } from 'preact/hooks';
import { useGuest } from '../contexts.ts';
import { createLatePart, LateContent } from '../late-part.tsx';
import { callMessages } from './messages.ts';
import './call.css';

// Loaded when the sheet opens: a call needs the network anyway.
const callSheet = createLatePart(() => import('./call-sheet.tsx'));

type CallButtonProps = { /** True to show the word beside the bell, where there is room. */ hasText?: boolean };

/** The bell in a page's head, for guests at a table. It is filled while a waiter is called. */
export function CallButton({ hasText = false }: CallButtonProps) {
  const words = callMessages();
  const { seat, calls } = useGuest();
  const [isOpen, setIsOpen] = useState(false);
  // A customer stays signed in when the table is closed, but no longer has a table.
  if (!seat.isSeated.value || seat.table.value === null) return null;
  const open = (): void => {
    calls.forgetFailure();
    setIsOpen(true);
  };
  const look = classNames(calls.waiting.value.length > 0 && 'call-waiting');
  return (
    <>
      {hasText ? (
        <Button size="small" class={classNames('call-named', look)} icon={<Icon name="bell" />} onClick={open}>
          {words.call}
        </Button>
      ) : (
        <IconButton label={words.call} class={look} onClick={open}>
          <Icon name="bell" />
        </IconButton>
      )}
      <Dialog title={words.title} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <LateContent part={callSheet}>{({ CallSheet }) => <CallSheet onClose={() => setIsOpen(false)} />}</LateContent>
      </Dialog>
    </>
  );
}
