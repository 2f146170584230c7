import { defaultLanguage } from '@comanda/contracts/rules';
import { Button } from '@comanda/ui/button.tsx';
import { managerMessages } from '../messages.ts';
import type { FollowedSettings } from './open-settings.ts';
import { showPercent, type SettingName, type StoredSettings } from './settings-draft.ts';

/** Says what another manager has set in the meantime, above the field with this manager's value. */
export function Theirs({ settings, name }: { settings: FollowedSettings; name: SettingName }) {
  const words = managerMessages().settings;
  const stored = settings.stored.value;
  if (!stored || !settings.conflicts.value.includes(name)) return null;
  return (
    <div class="on-amber-soft settings-theirs" role="status">
      <p>
        {words.theirs} <b>{textsOf(stored)[name]}</b>
      </p>
      <p>{words.yours}</p>
      <Button size="small" aria-label={words.takeTheirs(words.names[name])} onClick={() => settings.takeTheirs(name)}>
        {words.useTheirs}
      </Button>
    </div>
  );
}

/** Writes the stored settings for people. */
function textsOf({ restaurant, wifi }: StoredSettings): Record<SettingName, string> {
  const words = managerMessages().settings;
  const { service_charge: charge, tip_suggestions: tips, category_limits: limits = [] } = restaurant;
  const percent = (rate: string): string => words.percent(showPercent(rate));
  const lines = limits.map((each) =>
    words.limitOf(each.category, String(each.amber_minutes), String(each.late_minutes)),
  );
  return {
    name: restaurant.name,
    logo: restaurant.logo ? words.aLogo : words.none,
    accent: restaurant.accent ?? words.accentNone,
    service_charge: words.required(showPercent(charge.rate), charge.optional),
    tip_suggestions: tips.map(percent).join(', ') || words.none,
    waiter_discount_limit: percent(restaurant.waiter_discount_limit),
    category_limits: lines.join(', ') || words.none,
    language: managerMessages().languages[restaurant.language ?? defaultLanguage],
    wifi: textOfWifi(wifi) ?? words.none,
  };
}

/** Writes the guests' Wi-Fi for people; null if there is none. */
export function textOfWifi(wifi: StoredSettings['wifi']): string | null {
  const words = managerMessages().settings;
  if (wifi === null) return null;
  return wifi.password === null ? words.openNetwork(wifi.ssid) : words.network(wifi.ssid, wifi.password);
}
