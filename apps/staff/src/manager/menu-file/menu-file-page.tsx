import { Button } from '@comanda/ui/button.tsx';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { language } from '@comanda/ui/language.ts';
import { saveFile } from '@comanda/ui/save-file.ts';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { useDrop } from '../dishes/use-drop.ts';
import { exportMenu } from './export-menu.ts';
import '../dishes/picture-field.css';
import './menu-file.css';
import { MenuPreview } from './menu-preview.tsx';
import { menuFileMessages } from './messages.ts';
import { useMenuFile } from './use-menu-file.ts';

/** Imports the menu from a CSV file, after a preview, and saves it as one. */
export function MenuFilePage({ session }: { session: ManagerSession }) {
  const words = menuFileMessages();
  const file = useMenuFile(session);
  const { dishes, failure, load } = session.menu;
  const done = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone.
  useEffect(() => {
    if (file.done) done.current?.focus();
  }, [file.done]);
  return (
    <>
      <div class="manager-head">
        <h1>{words.title}</h1>
        <p>{words.hint}</p>
        <a class="button button-secondary button-small" href="#/manager/menu">
          {words.back}
        </a>
        <Button
          size="small"
          icon={<LateIcon name="download" size={20} />}
          aria-disabled={dishes.value === null}
          onClick={() => save(session)}
        >
          {words.download}
        </Button>
      </div>
      <Failure of={failure.value} onRetry={load} />
      <p ref={done} tabIndex={-1} role="status" class="manager-notice">
        {file.done && words.done(file.done.added, file.done.changed)}
      </p>
      <FileField file={file} />
      {file.text.trim() !== '' && dishes.value === null && failure.value === null && <p>{managerMessages().reading}</p>}
      {file.preview && <MenuPreview file={file} preview={file.preview} />}
    </>
  );
}

/** Saves the menu in the form that the spreadsheets of this language open. */
function save({ menu, restaurant }: ManagerSession): void {
  const dishes = menu.dishes.value;
  if (dishes === null) return;
  const words = menuFileMessages();
  const text = exportMenu(
    { dishes, others: restaurant.others.value },
    {
      columns: words.columns,
      allergens: allergenNames(),
      pricings: words.pricings,
      hasDecimalComma: language.value === 'pt-BR',
    },
  );
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${words.file}.csv`);
}

/** A field for the rows. A file that is chosen or dropped fills it. */
function FileField({ file }: { file: ReturnType<typeof useMenuFile> }) {
  const words = menuFileMessages();
  const id = useId();
  const drop = useDrop((chosen) => void file.choose(chosen));
  return (
    <section
      class={classNames('manager-form menu-file', drop.isOver && 'picture-field-over')}
      aria-label={words.rows}
      {...drop.handlers}
    >
      <div class="row wrap menu-file-choose">
        <label class="button button-secondary button-small picture-field-choose">
          <Icon name="plus" />
          <span class="button-text">{words.choose}</span>
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-invalid={file.unreadable !== null}
            aria-describedby={`${id}-error`}
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              // The same file may be chosen again, after it was corrected.
              currentTarget.value = '';
              if (chosen) void file.choose(chosen);
            }}
          />
        </label>
        <p class="field-hint picture-field-drop">{words.drop}</p>
      </div>
      <p class="field-error" id={`${id}-error`} role="alert">
        {file.unreadable !== null && (
          <>
            <Icon name="warning" size={20} /> {words.unreadable[file.unreadable]}
          </>
        )}
      </p>
      <Field
        label={words.rows}
        hint={words.rowsHint}
        rows={6}
        value={file.text}
        autocomplete="off"
        onInput={file.change}
      />
    </section>
  );
}
