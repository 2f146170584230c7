import type { ItemOption } from '@comanda/contracts/item-options';
import { embeddedSchema } from '@comanda/shared/mongo/collections';
import { translationsSchema } from '../translations-schema.ts';

const name = { type: String, required: true, maxlength: 60 };

/** Returns the field for an item's options, nested up to `levels` deep. */
export function itemOptionsField(levels: number): object {
  const options = levels > 1 ? itemOptionsField(levels - 1) : { type: [String], required: true };
  return { type: [optionSchema(options)], allowNull: false };
}

const optionSchema = (options: object) =>
  embeddedSchema<ItemOption>({
    id: { type: Number, required: true, min: 1 },
    group: name,
    group_translations: translationsSchema(60),
    name,
    name_translations: translationsSchema(60),
    kitchen_name: { type: String, maxlength: 24 },
    quantity: { type: Number, required: true, min: 1 },
    of: { type: Number, min: 1 },
    price: { type: String, required: true, maxlength: 9 },
    item_id: { type: Number, min: 1 },
    options: options as never,
  });
