import { accentContrast } from '@comanda/contracts/rules';
import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { language } from '@comanda/ui/language.ts';
import { managerMessages } from '../messages.ts';
import { contrastOfAccent } from './settings-draft.ts';

/** Colours on which white text is easy to read. */
const accents = { green: '#166534', blue: '#1d4ed8', purple: '#6b21a8', wine: '#9d174d', brown: '#7c2d12' } as const;
const names = Object.keys(accents) as (keyof typeof accents)[];

type AccentFieldProps = {
  /** Empty for the app's own. */
  accent: string;
  isRejected: boolean;
  onChange: (accent: string) => void;
};

/** Lets the manager choose one of a few colours, or enter another one, and says how readable white text on it is. */
export function AccentField({ accent, isRejected, onChange }: AccentFieldProps) {
  const words = managerMessages().settings;
  const contrast = contrastOfAccent(accent);
  const shown = contrast?.toFixed(2) ?? '';
  const written = language.value === 'pt-BR' ? shown.replace('.', ',') : shown;
  const isReadable = contrast !== null && contrast >= accentContrast.atLeast;
  const error = contrast === null ? (isRejected ? words.noColour : undefined) : words.tooLight(written);
  return (
    <>
      <fieldset class="manager-chips">
        <legend>{words.accent}</legend>
        <Chip pressed={accent === ''} onClick={() => onChange('')}>
          {words.accentNone}
        </Chip>
        {names.map((name) => (
          <Chip
            key={name}
            pressed={accent.toLowerCase() === accents[name]}
            icon={<Swatch colour={accents[name]} />}
            onClick={() => onChange(accents[name])}
          >
            {words.accents[name]}
          </Chip>
        ))}
      </fieldset>
      <div class="wrap gap-3 settings-accent">
        <Field
          label={words.accentOwn}
          hint={isReadable ? words.contrast(written) : words.accentOwnHint}
          autocomplete="off"
          value={accent}
          error={isReadable || accent === '' ? undefined : error}
          onInput={onChange}
        />
        <input
          type="color"
          class="settings-accent-pick"
          aria-label={words.accentPick}
          value={contrast === null ? accents.green : accent.toLowerCase()}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {isReadable && (
          <span class="settings-accent-example" style={{ background: accent }} aria-hidden="true">
            {words.accentExample}
          </span>
        )}
      </div>
    </>
  );
}

const Swatch = ({ colour }: { colour: string }) => (
  <span class="settings-swatch" style={{ background: colour }} aria-hidden="true" />
);
