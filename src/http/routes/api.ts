import type { Routes } from '../route-types.ts'
import { emojiRoutes } from './emoji.ts'
import { eventRoutes } from './events.ts'
import { groupRoutes } from './groups.ts'
import { messageRoutes } from './messages.ts'
import { organizationRoutes } from './organization.ts'
import { serverRoutes } from './server.ts'
import { streamRoutes } from './streams.ts'
import { userRoutes } from './users.ts'

/** The API: path below /api/v1, method, action. Each file beside this one has the paths of one noun. */
export const routes: Routes = {
  ...serverRoutes,
  ...messageRoutes,
  ...streamRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...emojiRoutes,
  ...organizationRoutes,
  ...eventRoutes,
}
