import { deleteQueue, getEvents } from '../core/events/poll.ts'
import type { Routes } from './table.ts'

/** The table of contents of the API: path below /api/v1, method, action. No logic. */
export const routes: Routes = {
  '/events': { GET: getEvents, DELETE: deleteQueue },
}
