import { publicAction } from '../../core/action.ts'
import { none } from '../../core/fields.ts'
import { empty } from '../../core/shapes/values.ts'

/** GET /health: the process answers. Not rate limited, since orchestrators request it often. */
export const getHealth = publicAction(
  { name: 'getHealth', summary: 'Check that the server is alive', params: none, result: empty, limit: 'none' },
  async () => ({}),
)

/** GET /health/ready: the database takes writes. Otherwise SERVICE_UNAVAILABLE. */
export const getReadiness = publicAction(
  {
    name: 'getReadiness',
    summary: 'Check that the server can work',
    params: none,
    result: empty,
    limit: 'none',
    errors: ['SERVICE_UNAVAILABLE'],
  },
  async (context) => {
    await context.write(async () => {})
    return {}
  },
)
