import {
  deleteWebhookMessage,
  editWebhookMessage,
  getWebhookMessage,
} from '../../core/bots/incoming/discord/own-messages.ts'
import {
  executeGithubWebhook,
  executeSlackWebhook,
  executeWebhook,
  getWebhook,
} from '../../core/bots/incoming/discord/webhooks.ts'
import { postSlackMessage, testSlackToken } from '../../core/bots/incoming/slack/web-api.ts'
import type { Routes, Section } from '../route-types.ts'

const webhook = '/webhooks/:webhook_id(\\d+)/:token'
const discord: Routes = {
  [webhook]: { GET: getWebhook, POST: executeWebhook },
  [`${webhook}/github`]: { POST: executeGithubWebhook },
  [`${webhook}/slack`]: { POST: executeSlackWebhook },
  [`${webhook}/messages/:message_id(\\d+)`]: {
    GET: getWebhookMessage,
    PATCH: editWebhookMessage,
    DELETE: deleteWebhookMessage,
  },
}
const below = (prefix: string): Routes =>
  Object.fromEntries(Object.entries(discord).map(([path, row]) => [prefix + path, row]))

/** Addresses that tools for Discord and Slack build themselves from a server's name. */
export const compatibleSection: Section = {
  tag: 'compatible',
  routes: {
    ...below('/api'),
    // Tools name the version of Discord's API that they know.
    ...below('/api/v9'),
    ...below('/api/v10'),
    '/api/auth.test': { GET: testSlackToken, POST: testSlackToken },
    '/api/chat.postMessage': { POST: postSlackMessage },
  },
}
