import { Button } from '@comanda/ui/button.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { LanguageButton, ThemeButton } from '@comanda/ui/settings-buttons.tsx';
import { useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';

/** What guests rarely need: the language, the theme and the account. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  const { navigate } = useRouter();
  return (
    <div class="stack gap-3 more-sheet" onClick={onClose}>
      <LanguageButton hasText />
      <ThemeButton hasText />
      <Button icon={<LateIcon name="account" />} onClick={() => navigate({ page: 'account' })}>
        {messages().account}
      </Button>
    </div>
  );
}
