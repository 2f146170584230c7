import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import './allergen-dialog.css';
import { lateMenuMessages } from './messages.ts';

type AllergenDialogProps = { isOpen: boolean; onClose: () => void };

/** Lets the guest select allergens they can't eat. The menu then hides dishes that contain them. */
export function AllergenDialog({ isOpen, onClose }: AllergenDialogProps) {
  const words = lateMenuMessages();
  const { avoid, avoided } = useGuest().menu;
  const names = Object.entries(allergenNames()) as [Allergen, string][];
  const toggle = (allergen: Allergen): void => {
    const without = avoided.value.filter((each) => each !== allergen);
    avoid(without.length === avoided.value.length ? [...without, allergen] : without);
  };
  const footer = (
    <>
      <Button kind="primary" size="large" onClick={onClose}>
        {words.filterDone}
      </Button>
      {avoided.value.length > 0 && (
        <Button onClick={() => avoid([])} size="small" kind="quiet">
          {words.filterClear}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={messages().filterTitle} isOpen={isOpen} onClose={onClose} footer={footer}>
      <p class="dim">{words.filterText}</p>
      <div class="wrap gap-2 allergen-chips">
        {names.map(([allergen, name]) => (
          <Chip key={allergen} pressed={avoided.value.includes(allergen)} onClick={() => toggle(allergen)}>
            {name}
          </Chip>
        ))}
      </div>
    </Dialog>
  );
}
