import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Field } from '@comanda/ui/field.tsx';
import type { DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { hasRemark, toggleRemark, usualRemarks } from './remarks.ts';
import './remarks-dialog.css';
import type { WaiterSession } from './waiter-session.ts';

type RemarksDialogProps = {
  session: WaiterSession;
  /** The line whose remarks are edited; undefined if the dialog is closed. */
  line: DraftLine | undefined;
  onClose: () => void;
};

/** Asks for a dish's remarks: usual ones with one tap, others typed. */
export function RemarksDialog({ session, line, onClose }: RemarksDialogProps) {
  const words = waiterMessages().order;
  return (
    <Dialog
      title={line?.name ?? ''}
      isOpen={line !== undefined}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      {line && <Remarks session={session} line={line} />}
    </Dialog>
  );
}

function Remarks({ session: { draft, menu, bills }, line }: { session: WaiterSession; line: DraftLine }) {
  const words = waiterMessages().order;
  const { dishId, name, remarks } = line;
  const dishes = menu.dishes.value ?? [];
  const dish = dishes.find(({ id }) => id === dishId);
  const usual = dish ? usualRemarks(dish, { orders: bills.all.value, dishes }) : [];
  return (
    <div class="waiter-remarks">
      {usual.length > 0 && (
        <div class="waiter-remarks-chips" role="group" aria-label={words.usualRemarks}>
          {usual.map((part) => (
            <Chip
              key={part}
              pressed={hasRemark(remarks, part)}
              onClick={() => draft.setRemarks(dishId, toggleRemark(remarks, part))}
            >
              {part}
            </Chip>
          ))}
        </div>
      )}
      <Field
        label={words.remarks(name)}
        value={remarks}
        maxLength={500}
        onInput={(next) => draft.setRemarks(dishId, next)}
      />
    </div>
  );
}
