import Joi from 'joi';
import { component, money, object, oneOf, text } from './schema.ts';

/** Creates a schema for a weight in kilograms in requests, with one to three decimal places. */
export const sentMeasure = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^(?!0\.0{1,3}$)(0|[1-9][0-9]?)\.[0-9]{1,3}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a weight in kg such as "0.432", from 0.001 to 99.999' })
    .example('0.432');
/** A dish's weight and its price for a kilogram, in responses and events. */
export const measure = component(
  'Measure',
  object({ value: text(6).example('0.432'), unit: oneOf('kg'), price: money().example('79.90') }),
);
