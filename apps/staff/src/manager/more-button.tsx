import { Button } from '@comanda/ui/button.tsx';
import { managerMessages } from './messages.ts';

type MoreButtonProps = { list: { isBusy: boolean; more: () => void }; text?: string };

/** The button that loads a list's next page. */
export const MoreButton = ({ list, text = managerMessages().more }: MoreButtonProps) => (
  <Button size="small" aria-disabled={list.isBusy} onClick={list.more}>
    {list.isBusy ? managerMessages().reading : text}
  </Button>
);
