import { publicAction } from '../../core/action.ts'
import { none } from '../../core/fields.ts'

/** GET /health: the process answers. Whoever asks often, as orchestrators do, is not counted. */
export const getHealth = publicAction(
  { summary: 'Check that the server is alive', params: none, limit: 'none' },
  async () => ({}),
)

/** GET /health/ready: the database takes writes. Otherwise SERVICE_UNAVAILABLE. */
export const getReadiness = publicAction(
  { summary: 'Check that the server can work', params: none, limit: 'none', errors: ['SERVICE_UNAVAILABLE'] },
  async (context) => {
    await context.write(async () => {})
    return {}
  },
)
