import Joi from 'joi';
import { documented } from './schema.ts';

/** Creates a schema for exactly four ASCII digits, which can't be confused with a transactional PIN of six digits. */
export const tabletPin = () =>
  documented(
    Joi.string()
      .pattern(/^[0-9]{4}$/)
      .messages({ 'string.pattern.base': '{{#label}} must be exactly four digits' })
      .example('7391'),
    { schema: { format: 'password' } },
  );
