import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { chooseLanguage, language } from './language.ts';
import { uiMessages } from './messages.ts';
import { chooseTheme, theme } from './theme.ts';

/** A button that switches between English and Portuguese. Its label is in the language that it switches to. */
export const LanguageButton = () => {
  const isEnglish = language.value === 'en';
  return (
    <IconButton
      label={isEnglish ? 'Português' : 'English'}
      lang={isEnglish ? 'pt-BR' : 'en'}
      onClick={() => chooseLanguage(isEnglish ? 'pt-BR' : 'en')}
    >
      <Icon name="language" />
    </IconButton>
  );
};

/** A button that switches between the light and the dark theme. Its label names the theme that it switches to. */
export const ThemeButton = () => {
  const isDark = theme.value === 'dark';
  return (
    <IconButton
      label={isDark ? uiMessages().toLight : uiMessages().toDark}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </IconButton>
  );
};
