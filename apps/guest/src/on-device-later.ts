import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import type { PixCharge } from '@comanda/ui/bill/pix-code.ts';
import {
  deviceEntry,
  isList,
  isNullOr,
  isNumber,
  isObject,
  isObjectOf,
  isOneOf,
  isText,
} from '@comanda/ui/device-entry.ts';
import type { Jwk } from './account/verify-receipt.ts';
import type { KeptPayment } from './bill/pin-payment-state.ts';
import type { KeptPix, PixPlan } from './bill/pix-payment.ts';

/** When this user last touched an account page in any tab, in milliseconds, by this device's clock. */
type Activity = { userId: number; at: number };

/** The rest of `onDevice`: what pages store that are loaded after the menu. */
export const onDeviceLater = {
  payment: deviceEntry<KeptPayment | null>(
    'bill-payment',
    isObjectOf<KeptPayment>({
      plan: isObject,
      payerId: isNullOr(isNumber),
      reserveKey: isText,
      accountId: isNullOr(isNumber),
      payment: isNullOr<BillPayment>(isObject),
      payKey: isNullOr(isText),
      isSent: (value): value is boolean => typeof value === 'boolean',
      at: isNumber,
    }),
    null,
  ),
  pix: deviceEntry<KeptPix | null>(
    'pix',
    isObjectOf<KeptPix>({
      plan: isObject<PixPlan>,
      userId: isNumber,
      key: isText,
      payment: isNullOr<BillPayment>(isObject),
      charge: isNullOr<PixCharge>(isObject),
      at: isNumber,
    }),
    null,
  ),
  /** The dishes' option groups that this phone loaded last. */
  optionGroups: deviceEntry<readonly OptionGroup[]>('option-groups', isList, []),
  activity: deviceEntry<Activity | null>(
    'account-activity',
    isObjectOf<Activity>({ userId: isNumber, at: isNumber }),
    null,
  ),
  hidesAmounts: deviceEntry<'yes' | null>('hide-amounts', isOneOf('yes'), null),
  /** The public keys for receipts and authorizations. */
  receiptKeys: deviceEntry<readonly Jwk[]>('receipt-keys', isList, []),
};
