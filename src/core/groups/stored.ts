import { defineCache } from '../kernel/cache.ts'
import type { Group } from './settings.ts'

/**
 * All groups by id, including deactivated ones. Everything that creates a group or changes its row must invalidate it.
 */
export const storedGroups = defineCache(
  'group-rows',
  (db): Promise<readonly Group[]> => db.selectFrom('user_group').selectAll().orderBy('id').execute(),
)
