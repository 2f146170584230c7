import { drawerMessages } from './messages.ts';

const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Asks whether a dish or an option is sold out. */
export function AskSoldOut({ name, onNo, onYes }: { name: string; onNo: () => void; onYes: () => void }) {
  const words = drawerMessages().soldOut;
  return (
    <li>
      <div class="dish-ask">
        <span>{words.confirm(name)}</span>
        {/* "Cancel" comes first, so that a double tap doesn't hit "Yes". */}
        <button type="button" ref={takeFocus} onClick={onNo}>
          {words.cancel}
        </button>
        <button type="button" class="dish-yes" onClick={onYes}>
          {words.confirmYes}
        </button>
      </div>
    </li>
  );
}
