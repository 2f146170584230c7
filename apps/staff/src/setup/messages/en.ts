import { forms } from '@comanda/ui/messages/forms.en.ts';

export const en = {
  title: 'Open your restaurant',
  why: 'This restaurant has no manager yet. You become the first one.',
  code: 'Setup code',
  codeHint:
    'It’s in the terminal of npm start. On another server, npm run create-setup-code prints one. It works for 24 hours.',
  name: 'Your name',
  email: forms.email,
  emailHint: 'You sign in with it.',
  password: 'Choose a password',
  passwordHint: 'At least 8 characters, and not a common password.',
  open: 'Open the restaurant',
  opening: forms.oneMoment,
  hasManager: 'I already have a sign-in',
  invalidCode: 'This setup code doesn’t work.',
  invalidCodeToDo: 'Enter the newest code as it was printed, or create another one on the server.',
  complete: 'This restaurant already has a manager.',
  completeToDo: 'Sign in, or ask a manager to invite you.',
  toSignIn: 'Go to sign-in',
};
