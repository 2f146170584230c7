import type { Answer, Input } from '@comanda/client/core';
import { contrastOf } from '@comanda/contracts/contrast';
import type { Restaurant } from '@comanda/contracts/restaurant';
import { accentContrast, defaultLanguage, type Language } from '@comanda/contracts/rules';
import { isSameName } from '@comanda/contracts/text-key';
import { language } from '@comanda/ui/language.ts';

export type StoredSettings = { restaurant: Restaurant; wifi: Answer<'getWifi'>['wifi'] };
/** A category's limits as they are entered. */
export type DraftLimit = { category: string; amber: string; late: string };
/** The settings as they are entered in the form. */
export type SettingsDraft = {
  name: string;
  /** Empty for none. */
  logo: string;
  /** A colour such as `#166534`; empty for the app's own. */
  accent: string;
  rate: string;
  isOptional: boolean;
  /** In the API's format, such as `10.00`. */
  tips: readonly string[];
  discount: string;
  limits: readonly DraftLimit[];
  language: Language;
  /** Empty for no Wi-Fi on the printed codes. */
  ssid: string;
  /** Empty for a network without a password. */
  wifiPassword: string;
};
type Body = Required<Omit<Input<'putRestaurant'>, 'version'>>;
/** A setting by its name in the API. */
export type SettingName = keyof Body;

/** The fields of the form that belong to a setting. */
const fieldsOf: Readonly<Record<SettingName, readonly (keyof SettingsDraft)[]>> = {
  name: ['name'],
  logo: ['logo'],
  accent: ['accent'],
  service_charge: ['rate', 'isOptional'],
  tip_suggestions: ['tips'],
  waiter_discount_limit: ['discount'],
  category_limits: ['limits'],
  language: ['language'],
  wifi: ['ssid', 'wifiPassword'],
};
const settingNames = Object.keys(fieldsOf) as readonly SettingName[];

/** Writes a percentage as people do: `12.50` as `12.5`, in Portuguese `12,5`. */
export const showPercent = (rate: string): string => {
  const text = String(Number(rate));
  return language.value === 'pt-BR' ? text.replace('.', ',') : text;
};
/** Converts `10`, `12,5` or `10 %` to the API's format; null if it isn't a percentage up to 100. */
export function readPercent(typed: string): string | null {
  const text = typed.replaceAll(/[\s%]/g, '').replace(',', '.');
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || Number(text) > 100) return null;
  return Number(text).toFixed(2);
}

export const draftOf = ({ restaurant, wifi }: StoredSettings): SettingsDraft => ({
  name: restaurant.name,
  logo: restaurant.logo ?? '',
  accent: restaurant.accent ?? '',
  rate: showPercent(restaurant.service_charge.rate),
  isOptional: restaurant.service_charge.optional,
  tips: restaurant.tip_suggestions.map((tip) => Number(tip).toFixed(2)),
  discount: showPercent(restaurant.waiter_discount_limit),
  limits: (restaurant.category_limits ?? []).map(({ category, amber_minutes: amber, late_minutes: late }) => ({
    category,
    amber: String(amber),
    late: String(late),
  })),
  language: restaurant.language ?? defaultLanguage,
  ssid: wifi?.ssid ?? '',
  wifiPassword: wifi?.password ?? '',
});

/** Returns the contrast of white text on this colour, rounded down to one hundredth. Null if it isn't a colour. */
export const contrastOfAccent = (accent: string): number | null =>
  /^#[0-9a-f]{6}$/i.test(accent) ? Math.floor(contrastOf(accent, accentContrast.with) * 100) / 100 : null;

const isMinutes = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 240;
const isEmpty = ({ amber, late }: DraftLimit): boolean => amber.trim() === '' && late.trim() === '';
const maxSsidBytes = 32;

export type SettingsFault =
  | { field: 'name' | 'rate' | 'discount' | 'ssid' | 'wifiPassword' }
  | { field: 'accent'; contrast: number | null }
  | { field: 'limits'; category: string; is: 'minutes' | 'order' };

/** Returns why the server would reject the draft. */
export function faultsOf(draft: SettingsDraft): SettingsFault[] {
  const { name, accent, rate, discount, ssid, wifiPassword } = draft;
  const faults: (SettingsFault | false)[] = [
    name.trim() === '' && { field: 'name' },
    readPercent(rate) === null && { field: 'rate' },
    readPercent(discount) === null && { field: 'discount' },
    (new TextEncoder().encode(ssid.trim()).length > maxSsidBytes || (ssid.trim() === '' && wifiPassword !== '')) && {
      field: 'ssid',
    },
    wifiPassword !== '' && !/^([\u0020-\u007e]{8,63}|[0-9A-Fa-f]{64})$/.test(wifiPassword) && { field: 'wifiPassword' },
  ];
  const contrast = contrastOfAccent(accent);
  if (accent !== '' && (contrast === null || contrast < accentContrast.atLeast))
    faults.push({ field: 'accent', contrast });
  for (const limit of draft.limits.filter((each) => !isEmpty(each))) {
    const { category, amber, late } = limit;
    if (!isMinutes(amber.trim()) || !isMinutes(late.trim())) faults.push({ field: 'limits', category, is: 'minutes' });
    else if (Number(amber) >= Number(late)) faults.push({ field: 'limits', category, is: 'order' });
  }
  return faults.filter((fault) => fault !== false);
}

/** Converts the draft to the API's format. Text that isn't valid stays as it is, so that it differs from what is stored. */
const bodyOf = (draft: SettingsDraft): Body => ({
  name: draft.name.trim(),
  logo: draft.logo === '' ? null : draft.logo,
  accent: draft.accent === '' ? null : draft.accent.toLowerCase(),
  service_charge: { rate: readPercent(draft.rate) ?? draft.rate, optional: draft.isOptional },
  tip_suggestions: [...draft.tips].sort((a, b) => Number(a) - Number(b)),
  waiter_discount_limit: readPercent(draft.discount) ?? draft.discount,
  category_limits: draft.limits
    .filter((each) => !isEmpty(each))
    .map(({ category, amber, late }) => ({ category, amber_minutes: Number(amber), late_minutes: Number(late) })),
  language: draft.language,
  wifi: draft.ssid.trim() === '' ? null : { ssid: draft.ssid.trim(), password: draft.wifiPassword || null },
});

/** Returns the settings that differ between two drafts, as they are in the first. */
export function changesOf(draft: SettingsDraft, before: SettingsDraft): Partial<Body> {
  const [next, was] = [bodyOf(draft), bodyOf(before)];
  return Object.fromEntries(
    settingNames
      .filter((name) => JSON.stringify(next[name]) !== JSON.stringify(was[name]))
      .map((name) => [name, next[name]]),
  );
}

/** Returns the entered changes without those of one setting. */
export const withoutSetting = (typed: Partial<SettingsDraft>, name: SettingName): Partial<SettingsDraft> =>
  Object.fromEntries(Object.entries(typed).filter(([field]) => !fieldsOf[name].includes(field as keyof SettingsDraft)));

/**
 * Returns the settings that both this manager and another have changed, to different values: `before` is what was stored when
 * this manager typed, `now` is what is stored now.
 */
export function conflictsOf(
  typed: Partial<SettingsDraft>,
  { before, now }: { before: SettingsDraft; now: SettingsDraft },
): SettingName[] {
  const theirs = changesOf(now, before);
  const left = changesOf({ ...now, ...typed }, now);
  return settingNames.filter((name) => name in theirs && name in left);
}

/** Returns the limits with a changed one; a category without limits is added. */
export function withLimit(
  limits: readonly DraftLimit[],
  { category, ...part }: Pick<DraftLimit, 'category'> & Partial<DraftLimit>,
): DraftLimit[] {
  const found = limits.find((each) => isSameName(each.category, category));
  const changed = { category, amber: '', late: '', ...found, ...part };
  return found ? limits.map((each) => (each === found ? changed : each)) : [...limits, changed];
}
