import type Joi from 'joi';
import type { Language } from './rules.ts';
import { component, line, object, optional, text } from './schema.ts';

/** A text in languages other than the menu's language. Any of these languages may be missing. */
export type Translations = { [L in Language]?: string };
const inEachLanguage = (schema: Joi.StringSchema): Joi.ObjectSchema<Translations> =>
  object({ en: optional(schema), 'pt-BR': optional(schema) });

/** Creates a schema for a name's translations in requests. */
export const sentNames = () => inEachLanguage(line(255)).example({ en: 'Black bean stew' });
export const sentOptionNames = () => inEachLanguage(line(60)).example({ en: 'Smoked sausage' });
export const sentDescriptions = () => inEachLanguage(text(2000)).example({ en: 'With pork, rice and orange' });
export const sentCategories = () => inEachLanguage(line(64)).example({ en: 'Mains' });

/** A name's translations in responses. */
export const nameTranslations = component(
  'NameTranslations',
  inEachLanguage(text(255)).example({ en: 'Black bean stew' }),
);
export const descriptionTranslations = component(
  'DescriptionTranslations',
  inEachLanguage(text(2000)).example({ en: 'With pork, rice and orange' }),
);
export const categoryTranslations = component(
  'CategoryTranslations',
  inEachLanguage(text(64)).example({ en: 'Mains' }),
);
