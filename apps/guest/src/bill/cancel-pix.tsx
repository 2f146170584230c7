import type { BillPayment } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
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
  const { failure, isBusy, run } = useAction();
  const cancel = async (): Promise<void> => {
    if (await run(() => pix.cancel(payment))) onCancelled();
  };
  return (
    <>
      <Button kind="quiet" class="pix-other" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <Dialog
        title={words.cancelTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        footer={
          <>
            <Button kind="primary" size="large" onClick={() => setIsAsking(false)}>
              {words.cancelNo}
            </Button>
            <Button aria-disabled={isBusy} onClick={() => void cancel()}>
              {words.cancelYes}
            </Button>
          </>
        }
      >
        {failure !== null && <ErrorPanel words={billFailureWords(failure)} />}
        <p>{words.cancelText}</p>
      </Dialog>
    </>
  );
}
