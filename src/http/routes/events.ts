import { streamEvents } from '../../core/event-queues/feed.ts'
import { deleteQueue, getEvents } from '../../core/event-queues/poll.ts'
import { register } from '../../core/event-queues/register.ts'
import type { Routes } from '../route-types.ts'

/** Event queues. */
export const eventRoutes: Routes = {
  '/register': { POST: register },
  '/events': { GET: getEvents, DELETE: deleteQueue },
  '/events/stream': { GET: streamEvents },
}
