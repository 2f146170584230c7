import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatDateWithYear, formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { useRouter } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import '../order/slip.css';
import { useAccount } from './account-context.ts';
import type { Transfer } from './accounts.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { Fact } from './receipt-fact.tsx';
import './receipt-page.css';
import { saveReceipt } from './save-receipt.ts';
import { verifyReceipt, type Verdict } from './verify-receipt.ts';

function Signature({ transfer }: { transfer: Transfer }) {
  const words = accountMessages();
  const { client } = useAccount();
  const [verdict, setVerdict] = useState<Verdict | 'verifying' | null>(null);
  const verify = async (): Promise<void> => {
    setVerdict('verifying');
    setVerdict(await verifyReceipt(client, transfer));
  };
  const [title = '', text = ''] = verdict === null || verdict === 'verifying' ? [] : words.verdicts[verdict];
  return (
    <section class="stack gap-3">
      {title === '' ? (
        <p class="signature-text">
          <LateIcon name="lock" /> {words.signed}
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
          {verdict === 'verifying' ? accountMessages().checking : words.verify}
        </Button>
      )}
    </section>
  );
}

function Slip({ transfer }: { transfer: Transfer }) {
  const words = accountMessages();
  const { id, amount, currency, description, created_at: at } = transfer;
  const { entries, isOwn } = useAccount().accounts;
  const isPayer = isOwn(transfer.from_account_id);
  const ownId = isPayer ? transfer.from_account_id : transfer.to_account_id;
  const entry = entries.value?.all.value?.find((each) => each.transfer_id === id && each.account_id === ownId);
  const otherName = entry?.counterparty.owner_name ?? null;
  const isDeposit = entry?.kind === 'account_deposit';
  const isRefund = transfer.kind === 'bill_refund';
  const payee = transfer.kind === 'bill_payment' ? words.restaurant : words.accountLower(transfer.to_account_id);
  return (
    <div class="slip-box">
      <div class="stack slip receipt">
        <span class="centre receipt-check">
          <Icon name="check" size={40} />
        </span>
        <h1 tabIndex={-1}>{words.posted}</h1>
        <Money as="p" class="terms-amount">
          {formatMoney(amount, currency)}
        </Money>
        <p class="terms-payee">
          {words.to} <strong>{payee}</strong>
        </p>
        {isPayer && otherName !== null && <p class="receipt-name">{otherName}</p>}
        {description !== null && <p class="terms-quiet">{description}</p>}
        <dl class="receipt-facts">
          <Fact
            name={words.from}
            value={isDeposit ? words.cash : isRefund ? words.restaurant : words.account(transfer.from_account_id)}
          />
          {!isPayer && otherName !== null && <Fact name={words.payer} value={otherName} />}
          <Fact name={words.date} value={formatDateWithYear(at)} />
          <Fact name={words.time} value={formatTimeWithSeconds(at)} />
          <Fact name={accountMessages().transferTitle} value={words.numbered(id)} />
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

function ReceiptDock({
  transfer,
  onCopy,
  onClose,
}: {
  transfer: Transfer;
  onCopy: () => Promise<boolean>;
  onClose: () => void;
}) {
  const words = accountMessages();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <footer class="dock">
      <div class="receipt-buttons">
        <Button icon={<LateIcon name="download" />} onClick={() => saveReceipt(transfer)}>
          {words.save}
        </Button>
        <Button icon={<Icon name="copy" />} onClick={() => void onCopy().then(setIsCopied)}>
          <span aria-live="polite">{isCopied ? words.copied : words.copyReceipt}</span>
        </Button>
      </div>
      <Button kind="primary" size="large" onClick={onClose}>
        {words.done}
      </Button>
    </footer>
  );
}

/** Shows a transfer that isn't loaded yet, or cannot be loaded. */
function UnreadReceipt({ failure, onRead }: { failure: unknown; onRead: () => void }) {
  const words = accountMessages();
  return (
    <>
      <h1 class="visually-hidden" tabIndex={-1}>
        {words.receipt}
      </h1>
      {failure !== null && (
        <ErrorPanel words={accountFailureWords(failure)}>
          <Button onClick={onRead}>{words.readAgain}</Button>
        </ErrorPanel>
      )}
    </>
  );
}

/** Shows one posted transfer as a slip, with the text that the restaurant signed. */
export function ReceiptPage({ id }: { id: number }) {
  const words = accountMessages();
  const { accounts, transfers } = useAccount();
  const { found, setFound } = transfers;
  const { goBack } = useRouter();
  const [failure, setFailure] = useState<unknown>(null);
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const signedTextRef = useRef<HTMLElement>(null);
  const transfer = accounts.transfers.value.get(id);
  const close = (): void => goBack({ page: 'account' });
  const read = useCallback((): void => {
    setFailure(null);
    accounts.readTransfer(id).catch(setFailure);
  }, [accounts, id]);
  useEffect(read, [read]);
  useEffect(
    () => () => {
      if (found.peek()?.id === id) setFound(null);
    },
    [found, setFound, id],
  );
  const copy = (receipt: string): Promise<boolean> => {
    // Without TLS, a page can't use the clipboard. Opening the details lets the user copy the text by hand.
    if (detailsRef.current && !isSecureContext) detailsRef.current.open = true;
    return copyText(receipt, signedTextRef.current);
  };
  return (
    <div class="page">
      <header class="page-head receipt-head">
        <IconButton label={words.done} onClick={close}>
          <Icon name="close" />
        </IconButton>
      </header>
      <main class="page-main account-main">
        {!transfer && <UnreadReceipt failure={failure} onRead={read} />}
        {found.value?.id === id && <p class="edge on-ready-soft receipt-found">{words.wasSentHint}</p>}
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
      {transfer && <ReceiptDock transfer={transfer} onCopy={() => copy(transfer.receipt)} onClose={close} />}
    </div>
  );
}
