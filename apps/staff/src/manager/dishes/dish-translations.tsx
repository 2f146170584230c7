import type { Language } from '@comanda/contracts/rules';
import { Field } from '@comanda/ui/field.tsx';
import { managerMessages } from '../messages.ts';
import type { UsedDishForm } from './use-dish-form.ts';

type Props = { form: UsedDishForm; into: Language };

/** The fields for the dish's texts in other languages. */
export function DishTranslations({ form: { draft, translatedField }, into }: Props) {
  const words = managerMessages().dish;
  const language = managerMessages().languages[into];
  return (
    <fieldset class="stack gap-3 manager-fieldset">
      <legend>{words.inLanguage(language)}</legend>
      <p class="field-hint">{words.inLanguageHint}</p>
      <Field label={words.nameIn(language)} {...translatedField('nameTranslations', into)} />
      <Field label={words.descriptionIn(language)} rows={2} {...translatedField('descriptionTranslations', into)} />
      {draft.category.trim() !== '' && (
        <Field
          label={words.categoryIn(language)}
          hint={words.categoryInHint(draft.category.trim())}
          {...translatedField('categoryTranslations', into)}
        />
      )}
    </fieldset>
  );
}
