import * as v from 'valibot'
import { on, text, wordFor } from '../../format/event.ts'
import { topicName, untrustedLine } from '../../format/text.ts'

const memberVerbs: Readonly<Record<string, string>> = {
  user_add_to_group: 'joined',
  user_remove_from_group: 'left',
  user_update_for_group: 'has other rights in',
  user_access_request_to_group: 'asked to join',
  user_access_request_denied_for_group: 'was not admitted to',
}
export const member = on(
  v.object({ event_name: v.string(), group_name: v.string(), user_name: v.string() }),
  ({ event_name, group_name, user_name }) => ({
    topic: topicName(group_name),
    content: `${untrustedLine(user_name)} ${wordFor(memberVerbs, event_name) ?? 'changed in'} the group **${untrustedLine(group_name)}**.`,
  }),
)
export const group = on(
  v.object({ event_name: v.string(), name: v.string(), full_path: text, parent_name: text }),
  ({ event_name, name, parent_name }) => ({
    topic: topicName(parent_name || name),
    content: `The subgroup **${untrustedLine(name)}** was ${event_name.includes('destroy') ? 'removed' : 'created'}.`,
  }),
)
export const projectEvent = on(v.object({ event_name: v.string(), name: v.string() }), ({ event_name, name }) => ({
  topic: topicName(name),
  content: `The project **${untrustedLine(name)}** was ${event_name.includes('destroy') ? 'removed' : 'created'}.`,
}))
