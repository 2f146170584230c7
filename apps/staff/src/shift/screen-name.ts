/** A screen's name is what staff call it, then a part that tells it from others with the same name: `Grelha-2-eylb`. */
const ownPart = /-[^-]*$/;
const maxLength = 40;

/** Returns what staff call the screen with this name. */
export const calledOf = (name: string): string => name.replace(ownPart, '').replaceAll('-', ' ');

/** Returns the screen's name after staff have called it `text`. Names have only letters A to Z, digits and hyphens. */
export function renamed(name: string, text: string): string {
  const plain = text.normalize('NFD').replace(/\p{Mark}/gu, '');
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const called = words.join('-').slice(0, maxLength) || 'kitchen';
  return called + (ownPart.exec(name)?.[0] ?? '');
}
