import { requireRole } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { requireKey } from './keys.ts'

/**
 * Throws if the caller has lost the role of an owner, or the key, while their proof was checked.
 *
 * @throws UNAUTHORIZED_PRINCIPAL, INVALID_API_KEY
 */
export async function requireStillOwner(tx: Tx): Promise<void> {
  await requireKey(tx)
  requireRole(tx, 'owner')
}
