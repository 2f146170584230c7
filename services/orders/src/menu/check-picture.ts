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
/** `before` is null for a new dish. */
type Asked = { before: Pick<Dish, 'imageUrl'> | null; imageUrl: string | null | undefined };

/**
 * Checks that a dish's uploaded picture is still stored. New uploads remove the oldest unused pictures, even if one of them is in
 * an open form. A dish may keep its current picture, because a restored menu may lack its pictures. If you pass the session of
 * the transaction that writes the dish, the picture is also protected from removal in the meantime.
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
