import { Button } from '@comanda/ui/button.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { useGuest } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { lateMenuMessages } from './messages.ts';

/** Says why the menu shows no dishes, and what the guest can do. */
export function NothingToShow() {
  const words = lateMenuMessages();
  const { search, setSearch, avoided, avoid } = useGuest().menu;
  if (search.value.trim() !== '')
    return (
      <EmptyState
        drawing={<EmptyPlateDrawing />}
        title={words.nothingFound(search.value)}
        hint={words.nothingFoundHint}
      >
        <Button onClick={() => setSearch('')}>{words.clearSearch}</Button>
      </EmptyState>
    );
  if (avoided.value.length > 0)
    return (
      <EmptyState drawing={<EmptyPlateDrawing />} title={words.nothingLeft} hint={words.nothingLeftHint}>
        <Button onClick={() => avoid([])}>{words.filterClear}</Button>
      </EmptyState>
    );
  return <EmptyState drawing={<EmptyPlateDrawing />} title={words.emptyMenu} hint={words.emptyMenuHint} />;
}
