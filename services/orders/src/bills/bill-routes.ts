import * as contract from '@comanda/contracts/bills';
import * as payments from '@comanda/contracts/bill-payments';
import { setCovers } from '@comanda/contracts/covers';
import type { Api } from '@comanda/shared/http/api';
import { isUnchanged } from '@comanda/shared/http/entity-tag';
import { nextLink } from '@comanda/shared/http/next-link';
import type { Reply } from '@comanda/shared/http/reply';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { toBillResponse } from './bill-response.ts';
import { tagOf, type BillWithOrders } from './bill.ts';
import {
  giveBillDiscount,
  mergeBill,
  moveBillToTable,
  reopenOneBill,
  setBillCovers,
  setBillServiceCharge,
  takeBillDiscountAway,
  type ChangeBillDeps,
} from './change-bill.ts';
import { closeOneBill, type CloseBillDeps } from './close-bill.ts';
import { cancelPayment, payBill, paymentOf, refundByHand } from './pay-bill.ts';
import { getBill, getBillHistory, listBills, type GetBillDeps } from './get-bill.ts';

export type BillRouteDeps = ChangeBillDeps & CloseBillDeps & GetBillDeps;

export function registerBillRoutes({ handle }: Api, deps: BillRouteDeps): void {
  const bodyOf = (found: BillWithOrders, caller: Caller): contract.Bill =>
    toBillResponse(found, { isStaff: caller.role !== 'customer' });
  const replyWith = (found: BillWithOrders, caller: Caller): Reply<contract.Bill> => ({
    status: 200,
    body: bodyOf(found, caller),
    headers: { ETag: tagOf(found) },
  });

  handle(contract.listBills, async (call) => {
    const { bills, next } = await listBills(deps, call);
    const body = bills.map((each) => bodyOf(each, call.caller));
    return { status: 200, body, headers: nextLink(contract.listBills.path, call.query, next) };
  });
  handle(contract.getBill, async (call) => {
    const found = await getBill(deps, call);
    const ETag = tagOf(found);
    return isUnchanged(call.header('If-None-Match'), ETag)
      ? { status: 304, headers: { ETag } }
      : replyWith(found, call.caller);
  });
  handle(contract.getBillHistory, async (call) => ({ status: 200, body: await getBillHistory(deps, call) }));
  handle(payments.getBillPayment, async (call) => ({
    status: 200,
    body: paymentOf(await getBill(deps, call), { paymentId: call.params.payment_id, caller: call.caller }),
  }));
  handle(contract.giveDiscount, async (call) => {
    const { bill, replayed } = await giveBillDiscount(deps, call);
    return { ...replyWith(bill, call.caller), status: 201, replayed };
  });
  handle(contract.takeDiscountAway, async (call) =>
    replyWith((await takeBillDiscountAway(deps, call)).bill, call.caller),
  );
  handle(contract.setServiceCharge, async (call) =>
    replyWith((await setBillServiceCharge(deps, call)).bill, call.caller),
  );
  handle(contract.setBillTable, async (call) => replyWith((await moveBillToTable(deps, call)).bill, call.caller));
  handle(setCovers, async (call) => replyWith((await setBillCovers(deps, call)).bill, call.caller));
  handle(contract.mergeBill, async (call) => replyWith((await mergeBill(deps, call)).bill, call.caller));
  handle(contract.closeBill, async (call) => replyWith(await closeOneBill(deps, call), call.caller));
  handle(contract.reopenBill, async (call) => replyWith((await reopenOneBill(deps, call)).bill, call.caller));
  handle(payments.payBill, async (call) => {
    const { payment, replayed } = await payBill(deps, call);
    const headers = { Location: `/bills/${payment.bill_id}/payments/${payment.id}` };
    return { status: 201, body: payment, headers, replayed };
  });
  handle(payments.cancelBillPayment, async (call) => ({ status: 200, body: await cancelPayment(deps, call) }));
  handle(payments.refundBillPayment, async (call) => ({ status: 200, body: await refundByHand(deps, call) }));
}
