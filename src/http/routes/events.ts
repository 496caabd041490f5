import { deleteQueue, getEvents } from '../../core/events/queues/poll.ts'
import { register } from '../../core/events/queues/register.ts'
import { streamEvents } from '../../core/events/queues/stream-events.ts'
import type { Routes } from '../route-types.ts'

/** Event queues. */
export const eventRoutes: Routes = {
  '/register': { POST: register },
  '/events': { GET: getEvents, DELETE: deleteQueue },
  '/events/stream': { GET: streamEvents },
}
