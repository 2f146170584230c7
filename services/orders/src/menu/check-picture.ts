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
 * Checks that a dish's uploaded picture is still stored. Later uploads remove the oldest pictures that no dish shows, even while
 * a form with one is open. A dish may keep the picture that it already has, because a restored menu may lack its pictures. With
 * the session of the transaction that writes the dish, this also protects the picture from a simultaneous removal.
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
