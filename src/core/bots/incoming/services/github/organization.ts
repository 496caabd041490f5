import * as v from 'valibot'
import { on, skippedAction, text, wordFor } from '../../format/event.ts'
import { link, topicName, untrustedLine } from '../../format/text.ts'
import { action, common, repository, user, who } from './shapes.ts'

export const membership = on(
  v.object({
    action,
    sender: user,
    member: user,
    team: v.object({ name: v.string(), html_url: text }),
    organization: v.nullish(user),
  }),
  ({ action, sender, member, team, organization }) =>
    action === 'added' || action === 'removed'
      ? {
          topic: topicName(organization?.login ?? 'GitHub', 'teams'),
          content: `${who(sender)} ${action} ${who(member)} ${action === 'added' ? 'to' : 'from'} the team ${link(team.name, team.html_url)}.`,
        }
      : skippedAction(action),
)

export const team = v.object({ name: v.string(), html_url: text })
export const teamEvent = on(
  v.object({ action, sender: user, team, organization: v.nullish(user), repository: v.nullish(repository) }),
  ({ action, sender, team, organization, repository: repo }) => {
    const topic = topicName(organization?.login ?? 'GitHub', 'teams')
    const shown = link(team.name, team.html_url)
    const of = repo ? ` ${link(repo.full_name || repo.name, repo.html_url)}` : ' a repository'
    if (action === 'added_to_repository')
      return { topic, content: `${who(sender)} added the repository${of} to the team ${shown}.` }
    if (action === 'removed_from_repository')
      return { topic, content: `${who(sender)} removed the repository${of} from the team ${shown}.` }
    return ['created', 'deleted', 'edited'].includes(action)
      ? { topic, content: `${who(sender)} ${action} the team ${shown}.` }
      : skippedAction(action)
  },
)

export const teamAdd = on(v.object({ ...common, team }), ({ repository, sender, team }) => ({
  topic: topicName(repository.name),
  content: `${who(sender)} added the repository to the team ${link(team.name, team.html_url)}.`,
}))

export const organization = on(
  v.object({
    action,
    sender: user,
    organization: user,
    membership: v.nullish(v.object({ user: v.nullish(user) })),
    invitation: v.nullish(v.object({ login: text, email: text })),
  }),
  ({ action, sender, organization, membership, invitation }) => {
    const person = membership?.user?.login || invitation?.login || 'somebody'
    const verbs: Readonly<Record<string, string>> = {
      member_added: `added ${untrustedLine(person)} to`,
      member_removed: `removed ${untrustedLine(person)} from`,
      member_invited: `invited ${untrustedLine(person)} to`,
      renamed: 'renamed',
      deleted: 'deleted',
    }
    const verb = wordFor(verbs, action)
    return verb
      ? {
          topic: topicName(organization.login),
          content: `${who(sender)} ${verb} the organization **${untrustedLine(organization.login)}**.`,
        }
      : skippedAction(action)
  },
)
