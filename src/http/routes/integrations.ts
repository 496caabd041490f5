import { receiveGithub } from '../../core/bots/incoming/github.ts'
import { receiveGitlab } from '../../core/bots/incoming/gitlab.ts'
import { receiveJson } from '../../core/bots/incoming/json-hook.ts'
import { receiveSlack } from '../../core/bots/incoming/slack.ts'
import { receiveSlackIncoming } from '../../core/bots/incoming/slack-incoming.ts'
import type { Routes } from '../route-types.ts'

/** Paths that other services post to, with the key of a bot in the address. */
export const integrationRoutes: Routes = {
  '/external/github': { POST: receiveGithub },
  '/external/gitlab': { POST: receiveGitlab },
  '/external/json': { POST: receiveJson },
  '/external/mattermost': { POST: receiveSlackIncoming },
  '/external/slack': { POST: receiveSlack },
  '/external/slack_incoming': { POST: receiveSlackIncoming },
}
