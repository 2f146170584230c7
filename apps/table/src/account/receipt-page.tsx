import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import '../parts/slip.css';
import { goBack } from '../state/route.ts';
import { accounts, entries, readTransfer, transfers } from './accounts.ts';
import type { Transfer } from './accounts.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import './receipt-page.css';
import { foundSent } from './transfer.ts';
import { verifyReceipt } from './verify-receipt.ts';
import type { Verdict } from './verify-receipt.ts';

const close = (): void => goBack({ page: 'account' });

function save({ id, receipt }: Transfer): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${receipt}\n`], { type: 'text/plain' }));
  link.download = `comanda-receipt-${id}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Signature({ transfer }: { transfer: Transfer }) {
  const words = accountMessages();
  const [verdict, setVerdict] = useState<Verdict | 'verifying' | null>(null);
  const verify = async (): Promise<void> => {
    setVerdict('verifying');
    setVerdict(await verifyReceipt(transfer));
  };
  const [title = '', text = ''] = verdict === null || verdict === 'verifying' ? [] : words.verdicts[verdict];
  return (
    <section class="signature">
      {title === '' ? (
        <p class="signature-text">
          <Icon name="lock" /> {words.signed}
        </p>
      ) : (
        <Notice
          kind={verdict === 'genuine' ? 'good' : verdict === 'not_genuine' ? 'warning' : 'info'}
          icon={verdict === 'genuine' ? 'shield' : 'warning'}
          title={title}
        >
          <p class="signature-verdict">{text}</p>
        </Notice>
      )}
      {(title === '' || verdict === 'no_keys') && (
        <Button size="small" icon={<Icon name="shield" size={20} />} onClick={() => void verify()}>
          {verdict === 'verifying' ? words.verifying : words.verify}
        </Button>
      )}
    </section>
  );
}

type FactProps = { name: string; value: string };
const Fact = ({ name, value }: FactProps) => (
  <div class="receipt-fact">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Slip({ transfer }: { transfer: Transfer }) {
  const words = accountMessages();
  const { id, amount, currency, description, created_at: at } = transfer;
  const isOwn = (accountId: number): boolean => (accounts.value ?? []).some((each) => each.id === accountId);
  const isPayer = isOwn(transfer.from_account_id);
  const ownId = isPayer ? transfer.from_account_id : transfer.to_account_id;
  const entry = entries.value?.find((each) => each.transfer_id === id && each.account_id === ownId);
  const otherName = entry?.counterparty.owner_name ?? null;
  const isDeposit = entry?.kind === 'account_deposit';
  return (
    <div class="slip-box">
      <div class="slip receipt">
        <span class="receipt-check">
          <Icon name="check" size={40} />
        </span>
        <h1 tabIndex={-1}>{words.posted}</h1>
        <p class="terms-amount money">{formatMoney(amount, currency)}</p>
        <p class="terms-payee">
          {words.to} <strong>{words.accountLower(transfer.to_account_id)}</strong>
        </p>
        {isPayer && otherName !== null && <p class="receipt-name">{otherName}</p>}
        {description !== null && <p class="terms-quiet">{description}</p>}
        <dl class="receipt-facts">
          <Fact name={words.from} value={isDeposit ? words.cash : words.account(transfer.from_account_id)} />
          {!isPayer && otherName !== null && <Fact name={words.payer} value={otherName} />}
          <Fact name={words.date} value={formatDateWithYear(at)} />
          <Fact name={words.time} value={formatTimeWithSeconds(at)} />
          <Fact name={words.number} value={words.numbered(id)} />
          {isPayer && <Fact name={words.confirmedWith} value={words.pin} />}
        </dl>
        {entry && (
          <dl class="receipt-facts">
            <Fact name={words.yourBalanceAfter} value={formatMoney(entry.balance, currency)} />
          </dl>
        )}
      </div>
    </div>
  );
}

/** One posted transfer as a slip, with the text that the restaurant signed. */
export function ReceiptPage({ id }: { id: number }) {
  const words = accountMessages();
  const [failure, setFailure] = useState<unknown>(null);
  const [isCopied, setIsCopied] = useState(false);
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const signedTextRef = useRef<HTMLElement>(null);
  const transfer = transfers.value.get(id);
  const read = (): void => {
    setFailure(null);
    readTransfer(id).catch(setFailure);
  };
  useEffect(read, [id]);
  useEffect(
    () => () => {
      if (foundSent.peek()?.id === id) foundSent.value = null;
    },
    [id],
  );
  const copy = async (): Promise<void> => {
    if (!transfer) return;
    // Without TLS, only text that can be seen can be copied.
    if (detailsRef.current && !isSecureContext) detailsRef.current.open = true;
    setIsCopied(await copyText(transfer.receipt, signedTextRef.current));
  };
  return (
    <div class="page">
      <header class="page-head receipt-head">
        <IconButton label={words.done} onClick={close}>
          <Icon name="close" />
        </IconButton>
      </header>
      <main class="page-main account-main">
        {!transfer && (
          <h1 class="spoken" tabIndex={-1}>
            {words.receipt}
          </h1>
        )}
        {failure !== null && !transfer && (
          <ErrorPanel words={accountFailureWords(failure)}>
            <Button onClick={read}>{words.readAgain}</Button>
          </ErrorPanel>
        )}
        {foundSent.value?.id === id && <p class="receipt-found">{words.wasSentHint}</p>}
        {transfer && (
          <>
            <Slip transfer={transfer} />
            <Signature key={id} transfer={transfer} />
            <details ref={detailsRef} class="signed-text">
              <summary>{words.signedText}</summary>
              <code ref={signedTextRef}>{transfer.receipt}</code>
            </details>
          </>
        )}
      </main>
      {transfer && (
        <footer class="dock">
          <div class="receipt-buttons">
            <Button icon={<Icon name="download" />} onClick={() => save(transfer)}>
              {words.save}
            </Button>
            <Button icon={<Icon name="copy" />} onClick={() => void copy()}>
              <span aria-live="polite">{isCopied ? words.copied : words.copyReceipt}</span>
            </Button>
          </div>
          <Button kind="primary" size="large" onClick={close}>
            {words.done}
          </Button>
        </footer>
      )}
    </div>
  );
}
