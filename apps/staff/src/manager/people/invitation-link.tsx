import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import './invitation-link.css';
import type { Invited } from './invite-person.tsx';
import { managerMessages } from '../messages.ts';
import { QrCode } from '@comanda/ui/qr-code.tsx';

/** Shows an invitation's link once, so that the person can scan it or the manager can send it. */
export function InvitationLink({ invited: { user, url }, onDone }: { invited: Invited; onDone: () => void }) {
  const words = managerMessages().users;
  const [isCopied, setIsCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const link = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copy = async (): Promise<void> => setIsCopied(await copyText(url, link.current));
  const until = user.invited_until ?? '';
  return (
    <section class="manager-form invitation-link" aria-label={words.linkOf(user.name)}>
      <h2 ref={heading} tabIndex={-1} class="manager-subtitle">
        {words.linkOf(user.name)}
      </h2>
      <p>{words.linkHint}</p>
      <QrCode text={url} label={words.linkCode(user.name)} />
      <code ref={link}>{url}</code>
      <p class="dim">{words.linkUntil(formatDay(until), formatTime(until))}</p>
      <div class="manager-pair">
        <Button size="small" icon={<Icon name="copy" size={20} />} onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? words.linkCopied : words.copyLink}</span>
        </Button>
        <Button kind="primary" size="small" onClick={onDone}>
          {words.linkDone}
        </Button>
      </div>
    </section>
  );
}
