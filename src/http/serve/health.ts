import { publicAction } from '../../core/kernel/action.ts'
import { diskSpaceOf } from '../../core/kernel/disk-space.ts'
import { none } from '../../core/kernel/fields.ts'
import { empty } from '../../core/shapes/values.ts'
import { unavailable } from '../responses.ts'

/** GET /health: succeeds while the process is alive. It has no rate limit because orchestrators call it often. */
export const getHealth = publicAction(
  { name: 'getHealth', summary: 'Check that the server is alive', params: none, result: empty, limit: 'none' },
  async () => ({}),
)

/**
 * GET /health/ready: succeeds if the database is open, migrated and accepts messages, and the server isn't about to
 * stop. Otherwise it fails with SERVICE_UNAVAILABLE.
 */
export const getReadiness = publicAction(
  {
    name: 'getReadiness',
    summary: 'Check that the server is ready',
    params: none,
    result: empty,
    limit: 'none',
    errors: ['SERVICE_UNAVAILABLE'],
  },
  async (context) => {
    if (context.signal?.aborted) throw unavailable('The server is stopping')
    if (diskSpaceOf(context.chat).state === 'full') throw unavailable('The disk is full. Only deleting works')
    await context.write(async () => {})
    return {}
  },
)
