import { pictureIdOf, withoutSize } from '@comanda/contracts/picture-address';
import { problem, type ProblemMembers } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Dish } from './menu-item.ts';

export type CheckPictureDeps = {
  pictures: {
    isStored: (id: string) => Promise<boolean>;
    keep: (id: string, session: Session) => Promise<boolean>;
  };
};
/**
 * `before`: the dish or the restaurant before the change; null for a new dish. `imageUrl`: the picture's new address. `pointer`:
 * the address's pointer in the body, by default `/image_url`.
 */
type Asked = { before: Pick<Dish, 'imageUrl'> | null; imageUrl: string | null | undefined; pointer?: string };

/**
 * Returns an error if a new picture is no longer stored. Each upload removes the oldest unused pictures, so the picture may be gone
 * before its form is sent. A dish may keep its current picture even if it is missing, for example after the menu was restored
 * without pictures. With the `session` of the transaction that writes the dish, other uploads can't remove the picture until it
 * ends.
 */
export async function pictureErrors(
  { pictures }: CheckPictureDeps,
  { before, imageUrl, pointer = '/image_url' }: Asked,
  session?: Session,
): Promise<NonNullable<ProblemMembers['errors']>[number][]> {
  const address = withoutSize(imageUrl ?? null);
  const id = pictureIdOf(address);
  if (id === null || address === withoutSize(before?.imageUrl ?? null)) return [];
  if (await (session ? pictures.keep(id, session) : pictures.isStored(id))) return [];
  return [{ pointer, detail: 'This picture is no longer stored. Upload it again with POST /menu-pictures.' }];
}

/** Checks that a new picture is still stored, as `pictureErrors` does. @throws 422 `unprocessable_content` */
export async function checkPicture(deps: CheckPictureDeps, asked: Asked, session?: Session): Promise<void> {
  const errors = await pictureErrors(deps, asked, session);
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}
