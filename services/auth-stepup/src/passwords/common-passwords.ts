/**
 * The words of the most common passwords in published leaks, in English, Portuguese and Spanish. Together with the rules
 * for case, surrounding digits and signs, and look-alike characters, they cover most of those lists.
 */
const words = new Set(
  `
  password passwort passw passwrd passcode senha senhas minhasenha contrasena contraseña clave mypassword thepassword
  qwerty qwert qwertyuiop qwertyui qwertz azerty asdf asdfgh asdfghjk asdfghjkl zxcv zxcvbn zxcvbnm qazwsx qazwsxedc
  qaz wsx qweasd qweasdzxc qweqwe asdasd asdasdasd zxczxc qwaszx abc abcd abcde abcdef abcdefg abcdefgh abcabc aaaa
  letmein letmeinnow welcome welcomeback bemvindo bienvenido hello helloworld hellohello login loginlogin signin
  admin admins administrator administrador administrateur root rootroot toor superuser sysadmin system sistema server
  user usuario username default changeme changethis trocar mudar guest convidado test teste tester testing testtest
  temp temporary demo sample example secret segredo private access acesso master mestre computer computador internet
  windows linux apple samsung android google gmail facebook instagram twitter youtube whatsapp netflix spotify
  microsoft hotmail yahoo amazon nintendo playstation xbox minecraft fortnite roblox pokemon naruto goku dragonball
  iloveyou iloveu ilove loveyou lovely lovelove love mylove forever teamo teamomucho amor amorzinho meuamor minhavida
  amoreterno euteamo tequiero mivida princesa princess principe prince queen king sunshine moonlight starlight
  rainbow butterfly flower flowers daisy rose lily angel angels anjo angelo heaven blessed jesus jesuscristo jesuschrist
  jesusteama christ deus deusefiel deusnocomando senhor faith hope grace god
  football futebol futbol baseball basketball soccer hockey tennis volleyball golfer swimming running skater
  flamengo corinthians palmeiras saopaulo vasco gremio internacional cruzeiro botafogo fluminense santos brasil brazil
  barcelona realmadrid liverpool arsenal chelsea manchester juventus lakers yankees cowboys steelers eagles packers
  dragon monkey tiger lion eagle falcon panther wolf wolves bear dolphin dolphins kitten kitty pussycat puppy doggie
  shadow killer hunter ranger warrior soldier sniper gangster gunner phantom hacker matrix batman superman spiderman
  ironman wolverine joker starwars startrek skywalker terminator predator godzilla gandalf hobbit harrypotter potter
  michael jennifer jessica ashley amanda nicole daniel daniela daniele andrew anthony joshua matthew robert thomas
  charlie george jordan william alexander alejandro alexandra alexandre fernando fernanda gabriel gabriela rafael
  rafaela rodrigo eduardo roberto ricardo leonardo mariana juliana adriana luciana carolina patricia vanessa beatriz
  isabella valentina victoria vitoria sebastian francisco guilherme gustavo henrique marcelo marcela camila larissa
  samantha stephanie michelle danielle natalie rebecca victor hannah maggie ginger pepper cookie cookies chocolate
  cheese chicken pizza banana orange cherry strawberry peanut butter coffee whiskey vodka cerveja feijoada restaurant
  restaurante comanda cozinha kitchen waiter garcom manager gerente cardapio menu
  summer winter spring autumn verao inverno january february march april june july august september october november
  december janeiro fevereiro monday tuesday wednesday thursday friday saturday sunday domingo
  freedom liberty america american canada mexico england london paris newyork california florida texas
  mustang corvette ferrari porsche mercedes bmw harley yamaha honda toyota camaro chevy
  blink slipknot metallica nirvana beatles eminem rockstar rockandroll music guitar
  trustno trustnoone fuckyou fuckme fuckoff asshole bitch biteme sexy lovers money dinheiro dollar success sucesso
  family familia mother father maria mariajose josemaria joaopedro mamae papai filhos baby babygirl babyboy mybaby
  whatever nothing something anything everything goodluck lucky lucky happy smile smiley crazy genius einstein
  merlin mickey minnie snoopy tigger garfield bubbles buster cooper scooter rocket thunder lightning phoenix diamond
  silver golden platinum crystal emerald black white purple yellow green blue red zaq xsw cde vfr bgt nhy mju
  monday access keyboard mouse monitor desktop laptop office business company empresa trabalho escola school college
  student professor teacher doctor nurse police america united nobody knight wizard magic
  `
    .split(/\s+/)
    .filter(Boolean),
);

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** Sequences on the keyboard and in the alphabet; also matched backwards. */
const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  '147258369',
  '789456123',
];
const runs = [...rows, ...rows.map((row) => row.split('').toReversed().join(''))];

/**
 * Whether a password is common: a well-known word with only digits and signs around it, a repeated short group, a date,
 * or sequences on the keyboard or in the alphabet.
 */
export function isCommon(password: string): boolean {
  const text = password.toLowerCase();
  const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const stems = [text, bare, asLetters(text), asLetters(bare)];
  return (
    stems.some((stem) => words.has(stem) || words.has(stem.replace(/[^\p{L}]+$/u, ''))) ||
    isRepeated(text) ||
    isDate(text) ||
    isMadeOfRuns(text)
  );
}

const asLetters = (text: string): string => text.replace(/[^\p{L}]/gu, (char) => lookAlikes[char] ?? char);

/** `aaaaaaaa`, `12121212`, `abcdabcd`. */
const isRepeated = (text: string): boolean => /^(.{1,4}?)\1+.?$/u.test(text) && text.length >= 6;

/** Only a date, as 25121999, 1999-12-25 or 12/25/1999. */
const isDate = (text: string): boolean =>
  /^\d{1,2}[./-]?\d{1,2}[./-]?(19|20)\d{2}$|^(19|20)\d{2}[./-]?\d{1,2}[./-]?\d{1,2}$/.test(text);

/** Consists only of sequences of three characters or more. */
function isMadeOfRuns(text: string): boolean {
  for (let at = 0; at < text.length;) {
    let length = 0;
    while (at + length < text.length && runs.some((run) => run.includes(text.slice(at, at + length + 1)))) length++;
    if (length < 3) return false;
    at += length;
  }
  return true;
}
