import { CallFailure, type Client } from '@comanda/client/core';
import { languages } from '@comanda/contracts/rules';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { Switch } from '@comanda/ui/switch.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ChipChoice } from '../chip-choice.tsx';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { AccentField } from './accent-field.tsx';
import { LimitsField } from './limits-field.tsx';
import { LogoField } from './logo-field.tsx';
import { faultsOf, showPercent, type SettingsDraft, type SettingsFault } from './settings-draft.ts';
import './settings-page.css';
import { Theirs } from './theirs.tsx';

type Props = { client: Client; session: ManagerSession };

const usualTips: readonly string[] = ['5.00', '8.00', '10.00', '12.00', '15.00', '20.00'];
const maxTips = 4;

/** The restaurant's settings: name and look, service charge and tips, limits, language and Wi-Fi. */
export function SettingsPage({ client, session }: Props) {
  const words = managerMessages().settings;
  const { settings, restaurant } = session;
  const draft = settings.draft.value;
  const { failure, run, isBusy } = useAction();
  const latest = restaurant.version.value;
  const known = settings.stored.value?.restaurant.version ?? -1;
  useEffect(() => void settings.load(), [settings]);
  // Another manager has saved: untouched fields follow, and fields that both have changed show both values.
  useEffect(() => {
    if (!isBusy && known >= 0 && latest > known) void settings.load();
  }, [settings, isBusy, latest, known]);
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{words.title}</h1>
      </div>
      <Failure of={settings.failure.value} onRetry={() => void settings.load()} />
      {!draft && settings.failure.value === null && <LoadingRows />}
      {draft && <SettingsForm {...{ client, session, draft, failure, isBusy, run }} />}
    </div>
  );
}

type SettingsFormProps = Props & { draft: SettingsDraft } & Pick<
    ReturnType<typeof useAction>,
    'failure' | 'isBusy' | 'run'
  >;

function SettingsForm({ client, session, draft, failure, isBusy, run }: SettingsFormProps) {
  const words = managerMessages().settings;
  const { settings } = session;
  const [isChecked, setIsChecked] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const [rejections, setRejections] = useState(0);
  const form = useRef<HTMLDivElement>(null);
  const faults = isChecked ? faultsOf(draft) : [];
  const change = (part: Partial<SettingsDraft>): void => {
    setIsSaved(false);
    settings.change(part);
  };
  // The rejected field may be far from the button.
  useEffect(() => {
    const rejected =
      rejections > 0 && form.current?.querySelector<HTMLElement>('[aria-invalid=true], .settings-theirs');
    if (!rejected) return;
    rejected.focus({ preventScroll: true });
    rejected.scrollIntoView({ block: 'center' }); // not behind the buttons
  }, [rejections]);
  async function save(): Promise<void> {
    setIsChecked(true);
    const isDone = faultsOf(draft).length === 0 && (await run(settings.save));
    setIsSaved(isDone);
    if (isDone) setIsChecked(false);
    else setRejections((before) => before + 1);
  }
  const props = { client, session, draft, faults, change };
  const hasChanges = settings.hasChanges.value;
  return (
    <Form class="stack gap-4 settings-form" label={words.title} noValidate onSubmit={() => void save()}>
      <div class="stack gap-4" ref={form}>
        <Identity {...props} isLogoGone={isLogoRejected(failure)} />
        <Money {...props} />
        <Section title={managerMessages().settings.names.category_limits} hint={words.kitchenHint}>
          <Theirs settings={settings} name="category_limits" />
          <LimitsField
            limits={draft.limits}
            dishes={session.menu.dishes.value ?? []}
            faults={faults}
            onChange={(limits) => change({ limits })}
          />
        </Section>
        <LanguageAndTime {...props} />
        <Wifi {...props} />
      </div>
      <div class="stack gap-2 settings-foot">
        {isConflict(failure) ? (
          <ErrorPanel words={{ happened: words.conflict, toDo: words.conflictToDo }} />
        ) : (
          <Failure of={failure} />
        )}
        {faults.length > 0 && (
          <p class="manager-warning" role="alert">
            {words.corrected}
          </p>
        )}
        <p role="status" class={isSaved ? 'manager-notice' : 'dim'}>
          {isSaved ? words.saved : hasChanges ? words.unsaved : words.allSaved}
        </p>
        <div class="manager-pair">
          {hasChanges && (
            <Button
              size="small"
              onClick={() => {
                setIsChecked(false);
                settings.discard();
              }}
            >
              {words.discard}
            </Button>
          )}
          <Button type="submit" kind="primary" size="small" aria-disabled={isBusy || !hasChanges}>
            {isBusy ? words.saving : words.save}
          </Button>
        </div>
      </div>
    </Form>
  );
}

const isConflict = (failure: unknown): boolean => failure instanceof CallFailure && failure.is('version_mismatch');
/** Returns true if the server no longer has the logo that was uploaded. */
const isLogoRejected = (failure: unknown): boolean =>
  failure instanceof CallFailure &&
  (failure.is('validation_failed') || failure.is('unprocessable_content')) &&
  failure.problem.errors.some(({ pointer }) => pointer === '/logo');

type SectionProps = { title: string; hint?: string; children: ComponentChildren };
const Section = ({ title, hint, children }: SectionProps) => (
  <section class="manager-form" aria-label={title}>
    <h2 class="manager-subtitle">{title}</h2>
    {hint !== undefined && <p class="dim">{hint}</p>}
    {children}
  </section>
);

type PartProps = Props & {
  draft: SettingsDraft;
  faults: readonly SettingsFault[];
  change: (part: Partial<SettingsDraft>) => void;
};
const has = (faults: readonly SettingsFault[], field: SettingsFault['field']): boolean =>
  faults.some((fault) => fault.field === field);

function Identity({ client, session, draft, faults, change, isLogoGone }: PartProps & { isLogoGone: boolean }) {
  const words = managerMessages().settings;
  const { settings } = session;
  return (
    <Section title={words.identity}>
      <Theirs settings={settings} name="name" />
      <Field
        label={words.name}
        hint={words.nameHint}
        autocomplete="off"
        maxLength={60}
        value={draft.name}
        error={has(faults, 'name') ? managerMessages().dish.invalid.name : undefined}
        onInput={(name) => change({ name })}
      />
      <Theirs settings={settings} name="logo" />
      <LogoField client={client} logo={draft.logo} isGone={isLogoGone} onChange={(logo) => change({ logo })} />
      <Theirs settings={settings} name="accent" />
      <AccentField
        accent={draft.accent}
        isRejected={has(faults, 'accent')}
        onChange={(accent) => change({ accent: accent.trim() })}
      />
    </Section>
  );
}

function Money({ session: { settings }, draft, faults, change }: PartProps) {
  const words = managerMessages().settings;
  const invalid = (field: 'rate' | 'discount'): string | undefined =>
    has(faults, field) ? words.invalidPercent : undefined;
  const shown = [...new Set([...usualTips, ...draft.tips])].sort((a, b) => Number(a) - Number(b));
  const tap = (tip: string): void =>
    change({ tips: draft.tips.includes(tip) ? draft.tips.filter((each) => each !== tip) : [...draft.tips, tip] });
  return (
    <Section title={words.money}>
      <Theirs settings={settings} name="service_charge" />
      <Field
        label={words.rate}
        hint={words.rateHint}
        autocomplete="off"
        inputMode="decimal"
        value={draft.rate}
        error={invalid('rate')}
        onInput={(rate) => change({ rate })}
      />
      <div class="row gap-3 settings-switch">
        <span aria-hidden="true">{words.isOptional}</span>
        <Switch label={words.isOptional} isOn={draft.isOptional} onChange={(isOptional) => change({ isOptional })} />
      </div>
      <Theirs settings={settings} name="tip_suggestions" />
      <fieldset class="manager-chips">
        <legend>{managerMessages().settings.names.tip_suggestions}</legend>
        {shown.map((tip) => {
          const isChosen = draft.tips.includes(tip);
          return (
            <Chip
              key={tip}
              pressed={isChosen}
              disabled={!isChosen && draft.tips.length >= maxTips}
              onClick={() => tap(tip)}
            >
              {words.percent(showPercent(tip))}
            </Chip>
          );
        })}
        <p class="field-hint">{words.tipsHint}</p>
      </fieldset>
      <Theirs settings={settings} name="waiter_discount_limit" />
      <Field
        label={words.discount}
        hint={words.discountHint}
        autocomplete="off"
        inputMode="decimal"
        value={draft.discount}
        error={invalid('discount')}
        onInput={(discount) => change({ discount })}
      />
    </Section>
  );
}

function LanguageAndTime({ session: { settings }, draft, change }: PartProps) {
  const words = managerMessages();
  const { time_zone: timeZone, day_starts_at: dayStartsAt } = settings.stored.value?.restaurant ?? {};
  return (
    <Section title={words.settings.menuAndTime}>
      <Theirs settings={settings} name="language" />
      <ChipChoice
        legend={words.menu.writtenIn}
        choices={languages}
        chosen={draft.language}
        nameOf={(each) => words.languages[each]}
        onChoose={(language) => change({ language })}
      />
      <p class="field-hint">{words.menu.writtenInHint}</p>
      <dl class="stack gap-2 settings-facts">
        <div>
          <dt>{words.settings.timeZone}</dt>
          <dd>{timeZone}</dd>
        </div>
        {dayStartsAt !== undefined && (
          <div>
            <dt>{words.settings.dayStarts}</dt>
            <dd>{dayStartsAt}</dd>
          </div>
        )}
      </dl>
      <p class="field-hint">{words.settings.timeHint}</p>
    </Section>
  );
}

function Wifi({ session: { settings }, draft, faults, change }: PartProps) {
  const words = managerMessages().settings;
  return (
    <Section title={managerMessages().settings.names.wifi} hint={words.wifiHint}>
      <Theirs settings={settings} name="wifi" />
      <Field
        label={words.ssid}
        hint={words.ssidHint}
        autocomplete="off"
        value={draft.ssid}
        error={has(faults, 'ssid') ? words.invalidSsid : undefined}
        onInput={(ssid) => change({ ssid })}
      />
      <Field
        label={words.wifiPassword}
        hint={words.wifiPasswordHint}
        autocomplete="off"
        value={draft.wifiPassword}
        error={has(faults, 'wifiPassword') ? words.invalidWifiPassword : undefined}
        onInput={(wifiPassword) => change({ wifiPassword })}
      />
    </Section>
  );
}
