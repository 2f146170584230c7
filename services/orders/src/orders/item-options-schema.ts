import type { ItemOption } from '@comanda/contracts/item-options';
import { embeddedSchema } from '@comanda/shared/mongo/collections';

const text = { type: String, required: true };
const number = { type: Number, required: true };
const translations = { type: Object, allowNull: false };

/** Returns the field for an item's options, nested up to `levels` deep. */
export function itemOptionsField(levels: number): object {
  const options = levels > 1 ? itemOptionsField(levels - 1) : { type: [String], required: true };
  return { type: [optionSchema(options)], allowNull: false };
}

/**
 * Options are copied from the menu, where the rules of `option_groups` limit their texts and numbers. Here, only the types are
 * checked: each limit costs time for each option of each order.
 */
const optionSchema = (options: object) =>
  embeddedSchema<ItemOption>({
    id: number,
    group: text,
    group_translations: translations,
    name: text,
    name_translations: translations,
    kitchen_name: { type: String },
    quantity: number,
    of: { type: Number },
    price: text,
    item_id: { type: Number },
    options: options as never,
  });
