import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  switchPerson: (name: string) => `Switch person, ${name}`,
  unsent:
    'Work of yours is kept on this device and not sent. It is sent when you sign in here again. Press again to switch.',
  title: 'Tablet PIN',
  why: 'Four digits with which you sign in on the shared tablets of this restaurant. They are not the PIN for money.',
  choose: 'Choose four digits',
  repeat: 'The same four digits again',
  weak: 'These digits are too easy to guess.',
  weakToDo: 'Choose others: no year, no row such as 1234, no repetition.',
  different: 'The two entries differ.',
  differentToDo: 'Nothing was set. Choose four digits again.',
  password: 'Your password',
  set: 'Set the tablet PIN',
  done: 'Your tablet PIN is set. Your name stands on the registered tablets from now on.',
  close: 'Close',
};
const ptBr: typeof en = {
  switchPerson: (name) => `Trocar de pessoa, ${name}`,
  unsent:
    'Há trabalho seu neste aparelho que ainda não foi enviado. Ele é enviado quando você entrar aqui de novo. Toque outra vez para trocar.',
  title: 'PIN do tablet',
  why: 'Quatro dígitos para entrar nos tablets deste restaurante. Não é o PIN do dinheiro.',
  choose: 'Escolha quatro dígitos',
  repeat: 'Os mesmos quatro dígitos de novo',
  weak: 'Estes dígitos são fáceis de adivinhar.',
  weakToDo: 'Escolha outros: nada de ano, sequência como 1234 ou repetição.',
  different: 'As duas entradas são diferentes.',
  differentToDo: 'Nada foi definido. Escolha quatro dígitos de novo.',
  password: 'Sua senha',
  set: 'Definir o PIN do tablet',
  done: 'Seu PIN do tablet está definido. Seu nome aparece nos tablets cadastrados a partir de agora.',
  close: 'Fechar',
};
export const tabletMessages = messagesOf({ en, 'pt-BR': ptBr });
