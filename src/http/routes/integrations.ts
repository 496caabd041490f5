import { checkWebhook, receiveWebhook } from '../../core/bots/incoming/receive.ts'
import { receiveSlackIncoming } from '../../core/bots/incoming/slack/incoming.ts'
import { receiveSlack } from '../../core/bots/incoming/slack/outgoing.ts'
import type { Routes } from '../route-types.ts'

/** Paths that other services post to, with the key of a bot in the address. */
export const integrationRoutes: Routes = {
  '/external/:integration': { GET: checkWebhook, POST: receiveWebhook },
  '/external/mattermost': { POST: receiveSlackIncoming },
  '/external/slack': { POST: receiveSlack },
  '/external/slack_incoming': { POST: receiveSlackIncoming },
}
