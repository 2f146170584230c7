import type { PixCharge } from '@comanda/ui/bill/pix-code.ts';
import { endOfCode } from '@comanda/ui/bill/use-pix-is-over.ts';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { copyText } from '@comanda/ui/copy-text.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { isCutOff } from '@comanda/ui/feed-state.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { QrCode } from '@comanda/ui/qr-code.tsx';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Bills } from './bills.ts';
import { CallAfterPaying } from './call-after-paying.tsx';
import { PixLayout, PixStatus, PixTerms, type PixTermsProps } from './pix-layout.tsx';
import { pixMessages } from './pix-messages.ts';

type PixCodeViewProps = PixTermsProps & { bills: Bills; charge: PixCharge; children: ComponentChildren };

/** Shows a Pix code to copy and to scan, and what happens next. It needs no network. */
export function PixCodeView({ bills, payment, bill, currency, charge, children }: PixCodeViewProps) {
  const words = pixMessages();
  const codeRef = useRef<HTMLParagraphElement>(null);
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const isStaff = charge.mode === 'staff';
  const until = formatTime(endOfCode(charge));
  const notLive = bills.notLive.value;
  const copy = async (): Promise<void> => setCopied((await copyText(charge.code, codeRef.current)) ? 'yes' : 'no');
  return (
    <PixLayout
      title={words.title}
      isTitleSpoken
      dock={
        <>
          <PixStatus class="row gap-2 pix-waiting">{isStaff ? words.show(until) : words.waiting(until)}</PixStatus>
          <Button
            kind="primary"
            size="large"
            icon={<Icon name={copied === 'yes' ? 'check' : 'copy'} />}
            onClick={() => void copy()}
          >
            {words.copy}
          </Button>
          <p class={classNames('pix-copied', copied === 'no' && 'pix-not-copied')} role="status">
            {copied === null ? '' : copied === 'yes' ? words.copied : words.notCopied}
          </p>
        </>
      }
    >
      <PixTerms payment={payment} bill={bill} currency={currency} />
      {notLive !== null && isCutOff(notLive) && (
        <p class="edge on-amber-soft not-live" role="status">
          {words.offline}
        </p>
      )}
      <div class="stack gap-4 pix-how">
        <ol class="card stack gap-2 pix-steps" aria-label={words.steps}>
          <li>{words.stepCopy}</li>
          <li>{words.stepPaste}</li>
          <li>{isStaff ? words.stepShow : words.stepBack}</li>
        </ol>
        {isStaff && <CallAfterPaying amount={payment.total} />}
      </div>
      <section class="stack gap-3 pix-scan" aria-label={words.scan}>
        <h2>{words.scan}</h2>
        <QrCode text={charge.code} label={words.qr(formatMoney(payment.total, currency))} />
        <p class="pix-code" ref={codeRef} translate={false} aria-label={words.code}>
          {charge.code}
        </p>
      </section>
      {children}
    </PixLayout>
  );
}
