import { receiveGithub } from '../../core/integrations/github.ts'
import { receiveGitlab } from '../../core/integrations/gitlab.ts'
import { receiveJson } from '../../core/integrations/json-hook.ts'
import { receiveSlack } from '../../core/integrations/slack.ts'
import { receiveSlackIncoming } from '../../core/integrations/slack-incoming.ts'
import type { Routes } from '../route-types.ts'

/** What other services post to, with the key of a bot in the address. */
export const integrationRoutes: Routes = {
  '/external/github': { POST: receiveGithub },
  '/external/gitlab': { POST: receiveGitlab },
  '/external/json': { POST: receiveJson },
  '/external/mattermost': { POST: receiveSlackIncoming },
  '/external/slack': { POST: receiveSlack },
  '/external/slack_incoming': { POST: receiveSlackIncoming },
}
