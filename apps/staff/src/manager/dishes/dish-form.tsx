import { oneOfEachKey, textKey } from '@comanda/contracts/text-key';
import type { LiveItem } from '@comanda/client/core';
import { languages, type Language } from '@comanda/contracts/rules';
import { pictureIdOf } from '@comanda/contracts/picture-address';
import { useEffect, useRef } from 'preact/hooks';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { currencySign } from '../../currency-sign.ts';
import './dish-form.css';
import { AllergenChoice } from './allergen-choice.tsx';
import { maxKitchenName } from './dish-draft.ts';
import { DishGroups } from './dish-groups.tsx';
import { DishTranslations } from './dish-translations.tsx';
import { Failure } from '../failure.tsx';
import { GuestTexts } from './guest-texts.tsx';
import { managerFailureWords, managerMessages } from '../messages.ts';
import { PictureField } from './picture-field.tsx';
import { PricingField } from './pricing-field.tsx';
import { StationField } from './station-field.tsx';
import { Switch } from '@comanda/ui/switch.tsx';
import { currencyOf, useDishForm, type DishFormProps, type UsedDishForm } from './use-dish-form.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/** The form for adding or changing a dish. */
export function DishForm(props: DishFormProps) {
  const words = managerMessages().dish;
  const form = useDishForm(props);
  const { dish, draft, change, refusals } = form;
  const fields = useRef<HTMLDivElement>(null);
  // Scrolls to the rejected field, which may be far from the button.
  useEffect(() => {
    const refused = refusals > 0 && fields.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (!refused) return;
    refused.focus({ preventScroll: true });
    refused.scrollIntoView({ block: 'center' }); // centred, so that the buttons don't cover it
  }, [refusals]);
  const title = dish?.name ?? words.newTitle;
  const imageUrl = draft.imageUrl.trim();
  const upload = usePictureUpload({ client: props.client, onUploaded: (uploaded) => change({ imageUrl: uploaded }) });
  const hasNoPortions = /^0+$/.test(draft.portions.trim());
  const isBusy = form.isBusy || upload.isUploading;
  return (
    <Form class="card column dish-form" label={title} onSubmit={() => void (isBusy || form.save())}>
      <a class="dish-form-back" href="#/manager/menu">
        <Icon name="back" /> {words.back}
      </a>
      <h2 class="dish-form-title">{title}</h2>
      <div class="stack gap-3 dish-form-fields">
        <DishFields form={form} />
      </div>
      <PictureField
        imageUrl={imageUrl}
        tile={Number(draft.position) || 0}
        upload={upload}
        onRemove={() => change({ imageUrl: '' })}
        refusal={form.pictureRefusal}
      >
        <GuestTexts form={form} session={props.session} />
      </PictureField>
      <div class="stack gap-3 dish-form-fields dish-form-rest" ref={fields}>
        {languagesOf(props).map((each) => (
          <DishTranslations key={each} form={form} into={each} />
        ))}
        <DishGroups form={form} session={props.session} />
        <AllergenChoice form={form} />
        <More form={form} />
        <div class="row dish-form-sale">
          <span aria-hidden="true">{words.onSale}</span>
          <Switch
            label={words.onSale}
            isOn={draft.available && !hasNoPortions}
            onChange={(available) => change({ available, ...(available && hasNoPortions && { portions: '' }) })}
          />
        </div>
        {dish && <RemoveDish name={dish.name} onRemove={() => form.remove(dish)} />}
        {!form.isNameTaken && <Failure of={form.failure} />}
      </div>
      <div class="wrap gap-3 dish-form-foot">
        <Button size="small" onClick={form.leave}>
          {words.cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {dish ? words.save : words.create}
        </Button>
      </div>
    </Form>
  );
}

/**
 * Returns the languages for which the form has fields: those into which the restaurant translates. The restaurant's own language
 * is included if the dish has a translation into it, from before the menu's language was changed; guests would still read that
 * text.
 */
function languagesOf({ dish, session: { restaurant } }: DishFormProps): readonly Language[] {
  const texts = [dish?.name_translations, dish?.description_translations, dish?.category_translations];
  return languages.filter(
    (each) => each !== restaurant.language.value || texts.some((text) => text?.[each] !== undefined),
  );
}

function DishFields({ form }: { form: UsedDishForm }) {
  const words = managerMessages().dish;
  const { dish, draft, menu, field, optionsPrice } = form;
  const currency = dish?.currency ?? currencyOf(menu);
  const categories = valuesOf(menu, ({ category }) => category);
  const category = textKey(draft.category);
  return (
    <>
      <Field label={words.name} {...field('name')} />
      <Field label={words.description} rows={2} {...field('description')} />
      <div class="dish-form-pair">
        <Field
          label={
            draft.pricing === 'per_kg' ? words.pricePerKg(currencySign(currency)) : words.price(currencySign(currency))
          }
          {...(optionsPrice !== null && { hint: words.priceHint(formatMoney(optionsPrice, currency)) })}
          {...field('price')}
        />
        <PricingField form={form} />
      </div>
      <div class="dish-form-pair">
        <Field
          label={words.category}
          choices={categories}
          hint={
            categories.some((each) => textKey(each) === category) || category === ''
              ? words.categoryHint
              : words.categoryNew
          }
          {...field('category')}
        />
        <StationField
          label={words.station}
          stations={['kitchen', 'bar', ...valuesOf(menu, ({ station }) => station)]}
          {...field('station')}
        />
      </div>
      <Field label={words.portions} hint={words.portionsHint} {...field('portions')} />
      <Field
        label={words.kitchenName}
        hint={words.kitchenNameHint}
        maxLength={maxKitchenName}
        {...field('kitchenName')}
      />
    </>
  );
}

/** What few dishes need: the place among the dishes of its category, and a picture from another address. */
function More({ form: { menu, draft, field } }: { form: UsedDishForm }) {
  const words = managerMessages().dish;
  const [position, image] = [field('position'), field('imageUrl')];
  const hasError = position.error !== undefined || image.error !== undefined;
  return (
    <details class="dish-form-more" open={hasError || undefined}>
      <summary>{words.more}</summary>
      <Field label={words.position} hint={words.positionHint} {...position} />
      {pictureIdOf(draft.imageUrl.trim()) === null && (
        <Field
          label={words.imageAddress}
          choices={valuesOf(menu, ({ image_url: url }) => (pictureIdOf(url) === null ? url : null))}
          hint={words.imageHint}
          {...image}
        />
      )}
    </details>
  );
}

function RemoveDish({ name, onRemove }: { name: string; onRemove: () => Promise<void> }) {
  const words = managerMessages().dish;
  return (
    <AskInPlace
      opener={{ kind: 'quiet', size: 'small', icon: <Icon name="trash" />, children: words.remove }}
      question={words.removeAsk(name)}
      yes={words.removeYes}
      kind="danger"
      wordsOf={managerFailureWords}
      onYes={onRemove}
    >
      <p>{words.removeHint}</p>
    </AskInPlace>
  );
}

const valuesOf = (menu: readonly LiveItem[], of: (dish: LiveItem) => string | null): readonly string[] =>
  oneOfEachKey(menu.flatMap((dish) => of(dish) ?? []));
