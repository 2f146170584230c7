import type { BillPayment } from '@comanda/contracts/bill-payments';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { useRouter } from '../contexts.ts';
import type { Bills } from './bills.ts';
import { CancelPix } from './cancel-pix.tsx';
import { payMessages } from './messages.ts';

type PixUnderWayProps = { bills: Bills; payment: BillPayment; currency: string };

/** Shown in place of the choices while this guest has a Pix code that is not paid yet. */
export function PixUnderWay({ bills: { pix }, payment, currency }: PixUnderWayProps) {
  const words = payMessages();
  const { navigate } = useRouter();
  return (
    <section class="stack gap-3 bill-card pay-part">
      <h2 class="row gap-2 pay-under-way">
        <Icon name="clock" /> {words.pixUnderWay(formatMoney(payment.total, currency))}
      </h2>
      <p class="dim">{words.pixUnderWayText}</p>
      <Button kind="primary" size="large" onClick={() => navigate({ page: 'pay', part: 'pix', id: payment.id })}>
        {billMessages().showCode}
      </Button>
      <CancelPix pix={pix} payment={payment} label={words.cancelPix} onCancelled={() => {}} />
    </section>
  );
}
