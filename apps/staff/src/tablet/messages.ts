import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  switchPerson: (name: string) => `Switch person, ${name}`,
  unsent: 'You have unsent work on this device. It will be sent when you sign in here again. Tap again to switch.',
  title: 'Tablet PIN',
  why: 'Four digits to sign in on this restaurant’s shared tablets. This is not your payment PIN.',
  choose: 'Choose four digits',
  repeat: 'Repeat the four digits',
  weak: 'These digits are too easy to guess.',
  weakToDo: 'Avoid years, repeated digits and equal steps, such as 1234 or 4826.',
  different: 'The two entries don’t match.',
  differentToDo: 'Your tablet PIN wasn’t set. Choose four digits again.',
  password: 'Your password',
  set: 'Set the tablet PIN',
  done: 'Your tablet PIN is set. Your name now appears on registered tablets.',
  close: 'Close',
};
const ptBr: typeof en = {
  switchPerson: (name) => `Trocar de pessoa, ${name}`,
  unsent:
    'Você tem trabalho não enviado neste aparelho. Ele será enviado quando você entrar aqui de novo. Toque de novo para trocar.',
  title: 'PIN do tablet',
  why: 'Quatro dígitos para entrar nos tablets deste restaurante. Este não é o seu PIN de pagamento.',
  choose: 'Escolha quatro dígitos',
  repeat: 'Repita os quatro dígitos',
  weak: 'Estes dígitos são fáceis de adivinhar.',
  weakToDo: 'Evite anos, dígitos repetidos e passos iguais, como 1234 ou 4826.',
  different: 'Os dígitos não são iguais.',
  differentToDo: 'Seu PIN do tablet não foi definido. Escolha quatro dígitos de novo.',
  password: 'Sua senha',
  set: 'Definir o PIN do tablet',
  done: 'Seu PIN do tablet está definido. Seu nome agora aparece nos tablets cadastrados.',
  close: 'Fechar',
};
export const tabletMessages = messagesOf({ en, 'pt-BR': ptBr });
