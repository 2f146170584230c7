import { createHash } from 'node:crypto';
import type { addMenuPicture as contract } from '@comanda/contracts/menu-pictures';
import { pictureIdOf, pictureUrl } from '@comanda/contracts/picture-address';
import { problem } from '@comanda/contracts/problem';
import { menuPictures } from '@comanda/contracts/rules';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { MenuStore } from '../menu/menu-store.ts';
import type { SettingsStore } from '../restaurant/settings-store.ts';
import type { PictureEncoder } from './encode-picture.ts';
import type { PictureStore } from './picture-store.ts';

export type AddPictureDeps = {
  pictures: PictureStore;
  menu: Pick<MenuStore, 'getAll'>;
  settings: Pick<SettingsStore, 'get'>;
  encoder: Pick<PictureEncoder, 'encode'>;
  clock: Clock;
};
export type AddedPicture = { imageUrl: string; isNew: boolean };

/**
 * `POST /menu-pictures`: encodes a picture and stores it under a hash of the result. Removes old pictures that
 * neither a dish nor the logo uses.
 * @throws 422 `picture_invalid`; 409 `too_many_pictures`; 503 `service_unavailable` if encoding takes too long; QueueFull
 */
export async function addPicture(
  deps: AddPictureDeps,
  { file, caller }: Pick<Call<typeof contract>, 'file' | 'caller'>,
): Promise<AddedPicture> {
  const { pictures, encoder, clock } = deps;
  const picture = await encoder.encode(file);
  const id = createHash('sha256').update(picture.large).digest('hex');
  await removeUnused(deps, id);
  const stored = await pictures.findAll();
  if (stored.length >= menuPictures.max && !stored.some((each) => each.id === id)) throw problem('too_many_pictures');
  const by = { id: caller.userId, name: caller.name };
  const isNew = await pictures.put({ id, ...picture, by, at: new Date(clock()) });
  return { imageUrl: pictureUrl(id), isNew };
}

/**
 * Removes unused pictures, except the latest uploads: a form that isn't saved yet may use them. Leaves room for the current
 * upload.
 */
async function removeUnused({ pictures, menu, settings }: AddPictureDeps, next: string): Promise<void> {
  const stored = await pictures.findAll();
  if (stored.length < menuPictures.maxUnused) return;
  const [dishes, { logo }] = await Promise.all([menu.getAll(), settings.get()]);
  const shown = new Set([logo, ...dishes.map(({ imageUrl }) => imageUrl)].map(pictureIdOf));
  const unused = stored.filter(({ id }) => id !== next && !shown.has(id));
  await pictures.remove(unused.slice(menuPictures.maxUnused - 1));
}
