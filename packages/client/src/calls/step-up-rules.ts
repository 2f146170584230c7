// Generated from the contracts by `npm run docs`. Do not edit.
import type { DetailsRule } from '@comanda/contracts/agreed-details';
import type { Calls } from './calls.ts';

/** The endpoint key that the step-up token of a call must have, and the rule for its details. */
export type StepUpRule = { readonly key: string; readonly details: DetailsRule };

/** Calls that need no authorization have no rule. */
export const stepUpRules: { readonly [N in keyof Calls]?: StepUpRule } = {
  createUser: {
    key: 'user.manage',
    details: {
      type: 'user_management',
      members: { email: 'email', role: 'role', sets_password: { trueIfGiven: 'password' } },
    },
  },
  inviteUser: { key: 'user.manage', details: { type: 'user_management', members: { email: 'email', role: 'role' } } },
  updateUser: {
    key: 'user.manage',
    details: {
      type: 'user_management',
      members: {
        user_id: 'id',
        role: { ifGiven: 'role' },
        status: { ifGiven: 'status' },
        sets_password: { trueIfGiven: 'password' },
      },
    },
  },
  registerTablet: { key: 'tablet.register', details: { type: 'tablet_registration', members: { name: 'name' } } },
  putStop: { key: 'stop.manage', details: { type: 'stop', members: { name: 'name', stopped: 'stopped' } } },
  createMenuItem: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: {
        name: 'name',
        price: 'price',
        pricing: { ifGiven: 'pricing' },
        sets_translated_names: { trueIfGiven: 'name_translations' },
        sets_option_groups: { trueIfGiven: 'option_group_ids' },
      },
    },
  },
  updateMenuItem: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: {
        item_id: 'id',
        name: { ifGiven: 'name' },
        price: { ifGiven: 'price' },
        pricing: { ifGiven: 'pricing' },
        sets_translated_names: { trueIfGiven: 'name_translations' },
        sets_option_groups: { trueIfGiven: 'option_group_ids' },
      },
    },
  },
  importMenu: { key: 'menu.manage', details: { type: 'menu_management', members: { menu_sha256: 'sha256' } } },
  createOptionGroup: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: {
        name: 'name',
        price_method: { ifGiven: 'price_method' },
        free: { ifGiven: 'free' },
        sets_options: { trueIfGiven: 'options' },
        sets_translated_names: { trueIfGiven: 'name_translations' },
      },
    },
  },
  updateOptionGroup: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: {
        option_group_id: 'id',
        name: { ifGiven: 'name' },
        price_method: { ifGiven: 'price_method' },
        free: { ifGiven: 'free' },
        sets_options: { trueIfGiven: 'options' },
        sets_translated_names: { trueIfGiven: 'name_translations' },
      },
    },
  },
  closeDay: {
    key: 'day.close',
    details: { type: 'day_close', members: { number: 'number', previous_hash: 'previous_hash' } },
  },
  deposit: {
    key: 'account_deposit.create',
    details: { type: 'account_deposit', members: { account_id: 'id', amount: 'amount', currency: 'currency' } },
  },
  transferMoney: {
    key: 'internal_transfer.create',
    details: {
      type: 'internal_transfer',
      members: {
        from_account_id: { mayBeOpen: 'from_account_id' },
        to_account_id: 'to_account_id',
        amount: 'amount',
        currency: 'currency',
      },
    },
  },
  payBillFromAccount: {
    key: 'bill_payment.create',
    details: {
      type: 'bill_payment',
      members: {
        payment_id: 'payment_id',
        from_account_id: { mayBeOpen: 'from_account_id' },
        amount: 'amount',
        currency: 'currency',
      },
    },
  },
  refundBillPaymentToAccount: {
    key: 'bill_refund.create',
    details: { type: 'bill_refund', members: { payment_id: 'payment_id', amount: 'amount', currency: 'currency' } },
  },
  refundPix: {
    key: 'pix_refund.create',
    details: { type: 'pix_refund', members: { end_to_end_id: 'e2e', amount: 'amount', currency: 'currency' } },
  },
  approveTransactionPasswordReset: {
    key: 'transaction_password.reset',
    details: { type: 'transaction_password_reset', members: { user_id: 'id' } },
  },
};
