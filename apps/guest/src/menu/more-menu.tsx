import { IconButton } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { useState } from 'preact/hooks';
import { createLatePart, LateContent } from '../late-part.tsx';
import { messages } from '../messages.ts';

// Loaded when the sheet opens, because few guests need it.
const moreSheet = createLatePart(() => import('./more-sheet.tsx'));

/** The button for the language, the theme and the account. */
export function MoreMenu() {
  const words = messages();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <IconButton label={words.more} onClick={() => setIsOpen(true)}>
        <span aria-hidden="true">•••</span>
      </IconButton>
      <Dialog title={words.more} isOpen={isOpen} onClose={close}>
        <LateContent part={moreSheet}>{({ MoreSheet }) => <MoreSheet onClose={close} />}</LateContent>
      </Dialog>
    </>
  );
}
