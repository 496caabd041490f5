import type { Routes, Section } from '../route-types.ts'
import { botRoutes } from './bots.ts'
import { emojiRoutes } from './emoji.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { groupRoutes } from './groups.ts'
import { integrationRoutes } from './integrations.ts'
import { invitationRoutes } from './invitations.ts'
import { messageRoutes } from './messages.ts'
import { organizationRoutes } from './organization.ts'
import { serverRoutes } from './server.ts'
import { streamRoutes } from './streams.ts'
import { userRoutes } from './users.ts'

/** Paths of one noun. */
/** The API by noun. Each file in this folder has the paths of one noun. */
export const sections: readonly Section[] = [
  { tag: 'server', routes: serverRoutes },
  { tag: 'messages', routes: messageRoutes },
  { tag: 'streams', routes: streamRoutes },
  { tag: 'users', routes: userRoutes },
  { tag: 'bots', routes: botRoutes },
  { tag: 'integrations', routes: integrationRoutes },
  { tag: 'invitations', routes: invitationRoutes },
  { tag: 'groups', routes: groupRoutes },
  { tag: 'emoji', routes: emojiRoutes },
  { tag: 'files', routes: fileRoutes },
  { tag: 'organization', routes: organizationRoutes },
  { tag: 'events', routes: eventRoutes },
]

/** The API: path below /api/v1, method, action. */
export const routes: Routes = Object.assign({}, ...sections.map((section) => section.routes))
