import { defineCache } from '../kernel/cache.ts'
import type { Group } from './settings.ts'

/** All groups by id, deactivated ones too. To be invalidated by whatever changes the row of a group, or makes one. */
export const storedGroups = defineCache(
  'group-rows',
  (db): Promise<readonly Group[]> => db.selectFrom('user_group').selectAll().orderBy('id').execute(),
)
