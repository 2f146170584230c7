import type { BillPayment } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { AskDialog } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { useState } from 'preact/hooks';
import { pixMessages } from './pix-messages.ts';
import type { PixPayment } from './pix-payment.ts';

type CancelPixProps = {
  pix: PixPayment;
  payment: BillPayment;
  label: string;
  /** Called once the part is free again. */
  onCancelled: () => void;
};

/** Cancels a Pix code, after asking whether it was paid: whoever has paid it should wait instead of paying twice. */
export function CancelPix({ pix, payment, label, onCancelled }: CancelPixProps) {
  const words = pixMessages();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" class="pix-other" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <AskDialog
        isOpen={isAsking}
        question={words.cancelTitle}
        yes={words.cancelYes}
        no={words.cancelNo}
        kind="secondary"
        wordsOf={billFailureWords}
        onYes={async () => {
          await pix.cancel(payment);
          onCancelled();
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>{words.cancelText}</p>
      </AskDialog>
    </>
  );
}
