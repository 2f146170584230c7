import { pictureIdOf, withoutSize } from '@comanda/contracts/picture-address';
import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Dish } from './menu-item.ts';

export type CheckPictureDeps = {
  pictures: {
    isStored: (id: string) => Promise<boolean>;
    keep: (id: string, session: Session) => Promise<boolean>;
  };
};
/** `before`: the dish before the change; null for a new dish. `imageUrl`: the picture's new address. */
type Asked = { before: Pick<Dish, 'imageUrl'> | null; imageUrl: string | null | undefined };

/**
 * Checks that a dish's new picture is still stored. Each upload removes the oldest unused pictures, so the picture may be gone
 * before its form is sent. A dish may keep its current picture even if it is missing, for example after the menu was restored
 * without pictures. With the `session` of the transaction that writes the dish, other uploads can't remove the picture until it
 * ends.
 * @throws 422 `unprocessable_content`
 */
export async function checkPicture(
  { pictures }: CheckPictureDeps,
  { before, imageUrl }: Asked,
  session?: Session,
): Promise<void> {
  const address = withoutSize(imageUrl ?? null);
  const id = pictureIdOf(address);
  if (id === null || address === withoutSize(before?.imageUrl ?? null)) return;
  if (await (session ? pictures.keep(id, session) : pictures.isStored(id))) return;
  const detail = 'This picture is no longer stored. Upload it again with POST /menu-pictures.';
  throw problem('unprocessable_content', { errors: [{ pointer: '/image_url', detail }] });
}
