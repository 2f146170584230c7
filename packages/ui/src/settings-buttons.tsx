import { Button, IconButton } from './button.tsx';
import { LateIcon, type LateIconName } from './late-icon.tsx';
import { chooseLanguage, language } from './language.ts';
import { settingsMessages } from './settings-messages.ts';
import { chooseTheme, theme } from './theme.ts';

type SettingProps = { /** True to show the label beside the icon. */ hasText?: boolean | undefined };
type SettingButtonProps = SettingProps & { label: string; icon: LateIconName; lang?: string; onClick: () => void };

const SettingButton = ({ hasText = false, label, icon, ...rest }: SettingButtonProps) =>
  hasText ? (
    <Button icon={<LateIcon name={icon} />} {...rest}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} {...rest}>
      <LateIcon name={icon} />
    </IconButton>
  );

/** A button that switches between English and Portuguese. Its label is in the language that it switches to. */
export const LanguageButton = ({ hasText }: SettingProps) => {
  const isEnglish = language.value === 'en';
  return (
    <SettingButton
      hasText={hasText}
      icon="language"
      label={isEnglish ? 'Português' : 'English'}
      lang={isEnglish ? 'pt-BR' : 'en'}
      onClick={() => chooseLanguage(isEnglish ? 'pt-BR' : 'en')}
    />
  );
};

/** A button that switches between the light and the dark theme. Its label names the theme that it switches to. */
export const ThemeButton = ({ hasText }: SettingProps) => {
  const isDark = theme.value === 'dark';
  return (
    <SettingButton
      hasText={hasText}
      icon={isDark ? 'sun' : 'moon'}
      label={isDark ? settingsMessages().toLight : settingsMessages().toDark}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  );
};
