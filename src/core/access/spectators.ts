import { type Context, requireOpenOrganization } from '../kernel/context.ts'
import { notLoggedIn } from '../kernel/errors.ts'
import { settingsOf } from '../settings/organization.ts'

/** Returns whether people without an account may read web-public streams. */
export const areSpectatorsAdmitted = async (context: Context): Promise<boolean> =>
  (await settingsOf(context)).enable_spectator_access

/**
 * The `spectators` rule of every action that people without an account may call. What they see is decided by
 * `visibleTo` and its like for the spectator.
 *
 * @throws UNAUTHORIZED unless the organization lets people without an account read
 */
export async function admitSpectators(context: Context): Promise<void> {
  await requireOpenOrganization(context)
  if (!(await areSpectatorsAdmitted(context))) throw notLoggedIn()
}
