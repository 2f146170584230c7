import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import './deposit-receipt.css';
import type { Posted } from './deposit.ts';
import { managerMessages } from '../messages.ts';

/** Shows that the money is in the account, with the signed receipt. */
export function DepositReceipt({ account, transfer, onDone }: Posted & { onDone: () => void }) {
  const words = managerMessages().deposits;
  const [isCopied, setIsCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const signedText = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, amount, currency, created_at: at, receipt } = transfer;
  const copy = async (): Promise<void> => setIsCopied(await copyText(receipt, signedText.current));
  return (
    <section class="manager-form deposit-receipt" aria-label={words.posted}>
      <span class="centre deposit-check">
        <Icon name="check" size={40} />
      </span>
      <h2 ref={heading} tabIndex={-1}>
        {words.posted}
      </h2>
      <p class="manager-amount money" translate={false}>
        {formatMoney(amount, currency)}
      </p>
      <p>
        {words.into} <strong>{words.accountOf(account.id)}</strong>, {account.owner_name}
      </p>
      <p class="dim">
        {formatDateWithYear(at)}, {formatTimeWithSeconds(at)} · {words.number(id)}
      </p>
      <details class="deposit-signed">
        <summary>{words.signed}</summary>
        <code ref={signedText}>{receipt}</code>
        <Button size="small" icon={<Icon name="copy" size={20} />} onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? words.copied : words.copy}</span>
        </Button>
      </details>
      <Button kind="primary" size="small" onClick={onDone}>
        {words.next}
      </Button>
    </section>
  );
}
