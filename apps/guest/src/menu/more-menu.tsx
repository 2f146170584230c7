import { IconButton } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { useState } from 'preact/hooks';
import { messages } from '../messages.ts';

// Loaded when the sheet opens, because few guests need it.
const moreSheet = lazyModule(() => import('./more-sheet.tsx'));

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
        <Lazy module={moreSheet}>{({ MoreSheet }) => <MoreSheet onClose={close} />}</Lazy>
      </Dialog>
    </>
  );
}
