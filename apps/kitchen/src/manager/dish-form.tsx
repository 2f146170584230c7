import { allergenNames } from '@comanda/ui/allergens.ts';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { CallFailure } from '@comanda/client';
import type { Client, LiveItem } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { currencySign } from '../parts/currency-sign.ts';
import { goTo } from '../parts/go-to.ts';
import { useAction } from '../parts/use-action.ts';
import { StationField } from './station-field.tsx';
import { bodyOf, changesOf, draftOf, emptyDraft, fieldOf, freePosition, invalidFields } from './dish-draft.ts';
import type { DishDraft, DraftField } from './dish-draft.ts';
import type { ManagerSession } from './manager-session.ts';
import { managerFailureWords, managerMessages } from './messages.ts';
import { Switch } from './switch.tsx';

type Props = {
  client: Client;
  /** Null: a new one. */
  dish: LiveItem | null;
  draftKey: string;
  session: ManagerSession;
};

/** A dish in a form. What was typed stays until it is saved or cancelled, also while another page is open. */
export function DishForm({ client, dish, draftKey, session }: Props) {
  const words = managerMessages().dish;
  const { failure, run, isBusy } = useAction();
  const [shownErrors, setShownErrors] = useState<readonly DraftField[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const typed = session.drafts.value.get(draftKey);
  const menu = session.menu.value ?? [];
  const position = String(freePosition(menu, typed?.category ?? ''));
  const before = dish ? draftOf(dish) : { ...emptyDraft, position };
  // What nobody has typed follows the dish: orders reduce its portions meanwhile.
  const draft = { ...before, ...typed };
  const currency = dish?.currency ?? menu[0]?.currency ?? 'BRL';
  const categories = valuesOf(menu, ({ category }) => category);
  const typedCategory = draft.category.trim();

  const change = (part: Partial<DishDraft>): void => {
    setShownErrors([]);
    session.setDraft(draftKey, { ...typed, ...part });
  };
  const leave = (): void => {
    session.setDraft(draftKey, null);
    goTo('#/manager/menu');
  };
  async function save(): Promise<void> {
    const invalid = invalidFields(draft);
    setShownErrors(invalid);
    if (invalid.length > 0) return;
    const isSaved = await run(async () => {
      const changes = changesOf(draft, before);
      if (dish && Object.keys(changes).length === 0) return;
      session.setDish(
        dish
          ? await client.calls.updateMenuItem({ id: dish.id, ...changes })
          : await client.calls.createMenuItem(bodyOf(draft)),
      );
    });
    if (!isSaved) return;
    leave();
    session.say(words.savedIt(draft.name.trim()));
  }
  async function remove({ id }: LiveItem): Promise<void> {
    if (!(await run(() => client.calls.deleteMenuItem({ id })))) return;
    session.removeDish(id);
    leave();
  }
  const refusedFields = errorsOf(failure);
  const errorOf = (field: DraftField): string | undefined => {
    if (field === 'name' && failure instanceof CallFailure && failure.code === 'menu_item_exists') return words.exists;
    return shownErrors.includes(field) || refusedFields.includes(field) ? words.invalid[field] : undefined;
  };
  const field = (name: Exclude<DraftField, 'allergens' | 'available'>) => ({
    value: draft[name],
    error: errorOf(name),
    autocomplete: 'off',
    onInput: (value: string): void => change({ [name]: value }),
  });
  const toggle = (allergen: Allergen): void => {
    const { allergens } = draft;
    change({
      allergens: allergens.includes(allergen)
        ? allergens.filter((each) => each !== allergen)
        : [...allergens, allergen],
    });
  };
  const preview = draft.imageUrl.trim();
  return (
    <form
      class="dish-form"
      aria-label={dish?.name ?? words.newTitle}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <a class="dish-form-back" href="#/manager/menu">
        <Icon name="back" /> {words.back}
      </a>
      <div class="dish-form-picture">
        <DishPicture key={preview} url={preview === '' ? null : preview} tile={Number(draft.position) || 0} />
      </div>
      <div class="dish-form-fields">
        <h2>{dish?.name ?? words.newTitle}</h2>
        <Field label={words.name} {...field('name')} />
        <Field label={words.description} rows={2} {...field('description')} />
        <div class="dish-form-pair">
          <Field label={words.price(currencySign(currency))} {...field('price')} />
          <Field label={words.portions} hint={words.portionsHint} {...field('portions')} />
        </div>
        <div class="dish-form-pair">
          <Field
            label={words.category}
            choices={categories}
            hint={typedCategory === '' || categories.includes(typedCategory) ? words.categoryHint : words.categoryNew}
            {...field('category')}
          />
          <Field label={words.position} hint={words.positionHint} {...field('position')} />
        </div>
        <StationField
          label={words.station}
          stations={['kitchen', 'bar', ...valuesOf(menu, ({ station }) => station)]}
          {...field('station')}
        />
        <fieldset class="dish-form-allergens">
          <legend>{words.allergens(draft.allergens.length)}</legend>
          {draft.allergens.length === 0 && <p class="manager-warning">{words.noAllergens}</p>}
          <div>
            {(Object.keys(allergenNames()) as Allergen[]).map((each) => (
              <Chip
                key={each}
                pressed={draft.allergens.includes(each)}
                icon={draft.allergens.includes(each) && <Icon name="check" size={20} />}
                onClick={() => toggle(each)}
              >
                {allergenNames()[each]}
              </Chip>
            ))}
          </div>
        </fieldset>
        <Field
          label={words.image}
          choices={valuesOf(menu, ({ image_url: url }) => url)}
          hint={words.imageHint}
          {...field('imageUrl')}
        />
        <div class="dish-form-sale">
          <span aria-hidden="true">{words.onSale}</span>
          <Switch label={words.onSale} isOn={draft.available} onChange={(available) => change({ available })} />
        </div>
        {dish && !isAsking && (
          <Button kind="quiet" size="small" icon={<Icon name="trash" />} onClick={() => setIsAsking(true)}>
            {words.remove}
          </Button>
        )}
        {dish && isAsking && (
          <section class="manager-ask" role="group" aria-label={words.removeAsk(dish.name)}>
            <strong>{words.removeAsk(dish.name)}</strong>
            <p>{words.removeHint}</p>
            <div class="manager-pair">
              <Button size="small" onClick={() => setIsAsking(false)}>
                {managerMessages().cancel}
              </Button>
              <Button kind="danger" size="small" onClick={() => void remove(dish)}>
                {words.removeYes}
              </Button>
            </div>
          </section>
        )}
        {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      </div>
      <div class="dish-form-foot">
        <Button size="small" onClick={leave}>
          {words.cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {dish ? words.save : words.create}
        </Button>
      </div>
    </form>
  );
}

const valuesOf = (menu: readonly LiveItem[], of: (dish: LiveItem) => string | null): readonly string[] => [
  ...new Set(menu.flatMap((dish) => of(dish) ?? [])),
];

/** The fields that the server has refused. */
function errorsOf(failure: unknown): DraftField[] {
  if (!(failure instanceof CallFailure) || failure.code !== 'validation_failed') return [];
  const errors = (failure.problem?.['errors'] ?? []) as { pointer: string }[];
  return errors.flatMap(({ pointer }) => fieldOf(pointer) ?? []);
}
