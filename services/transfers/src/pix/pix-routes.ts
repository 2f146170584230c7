import * as contract from '@comanda/contracts/pix';
import type { PixMode } from '@comanda/contracts/pix';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import type { BankAsking } from './ask-bank.ts';
import { assignReceipt, dismissReceipt, type ChangeReceiptDeps } from './change-receipt.ts';
import { confirmCharge, type ConfirmDeps } from './confirm-charge.ts';
import { createCharge, getCharge, type ChargeDeps } from './create-charge.ts';
import { getReceipt, listReceipts } from './list-receipts.ts';
import { refundReceipt, type RefundReceiptDeps } from './refund-receipt.ts';

export type PixRouteDeps = ChargeDeps &
  ConfirmDeps &
  ChangeReceiptDeps &
  RefundReceiptDeps & {
    mode: PixMode;
    /** Null without a bank. */
    asking: Pick<BankAsking, 'hint'> | null;
  };

export function registerPixRoutes({ handle }: Api, deps: PixRouteDeps): void {
  handle(contract.getPix, () => ({ status: 200, body: { mode: deps.mode } }));
  handle(contract.createPixCharge, async (call) => {
    const { charge, isNew } = await createCharge(deps, call);
    if (!isNew) return { status: 200, body: charge };
    return { status: 201, body: charge, headers: { Location: `/pix/charges/${charge.payment_id}` } };
  });
  handle(contract.getPixCharge, async (call) => ({ status: 200, body: await getCharge(deps, call) }));
  handle(contract.confirmPixCharge, async (call) => ({ status: 200, body: await confirmCharge(deps, call) }));
  handle(contract.listPixReceipts, async (call) => {
    const { receipts, next } = await listReceipts(deps, call);
    return { status: 200, body: receipts, headers: nextLink(contract.listPixReceipts.path, call.query, next) };
  });
  handle(contract.getPixReceipt, async (call) => ({ status: 200, body: await getReceipt(deps, call) }));
  handle(contract.refundPix, async (call) => {
    const { receipt, ...proof } = await refundReceipt(deps, call);
    const headers = { Location: `/pix/receipts/${receipt.end_to_end_id}` };
    return { status: 201, body: receipt, headers, ...proof };
  });
  handle(contract.assignPix, async (call) => ({ status: 200, body: await assignReceipt(deps, call) }));
  handle(contract.dismissPix, async (call) => ({ status: 200, body: await dismissReceipt(deps, call) }));
  for (const hint of [contract.pixHint, contract.pixHintOfPix])
    handle(hint, ({ content }) => {
      deps.asking?.hint(content?.toString() ?? '');
      return { status: 200, body: {} };
    });
}
