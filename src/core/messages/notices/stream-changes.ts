import { groupGraph, groupSettingView } from '../../access/group-graph.ts'
import { accessGroups } from '../../groups/access.ts'
import type { Tx } from '../../kernel/context.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { Stream } from '../../streams/access.ts'
import { streamSetting } from '../../streams/settings.ts'
import { findUsers } from '../../users/access.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { sendToTopic } from '../send/post-message.ts'
import { groupMention, listed, quoted, silentMention, streamLink } from './words.ts'

/** The topic of a stream in which the server says what happens to the stream. */
const TOPIC = 'channel events'

async function say(tx: Tx, stream: Stream, content: string, readBy: readonly number[] = []): Promise<void> {
  if (!(await settingsOf(tx)).send_channel_events_messages) return
  await sendToTopic(await asSystemBot(tx), stream.id, TOPIC, content, { streams: [stream], readBy })
}

/** Posts who created a stream and its purpose. The creator has read it. */
export async function sayCreated(tx: Tx, stream: Stream): Promise<void> {
  const content = `**${privacyOf(stream)}** channel created by ${silentMention(tx.user)}. **Description:**\n${described(stream)}`
  await say(tx, stream, content, [tx.user.id])
}

/** Posts what has changed in a stream: one message for each kind of change. */
export async function sayChanged(tx: Tx, before: Stream, after: Stream): Promise<void> {
  const who = silentMention(tx.user)
  if (after.name !== before.name) {
    await say(tx, after, `${who} renamed channel **${before.name}** to **${after.name}**.`)
  }
  if (after.description !== before.description) {
    const [was, is] = [described(before), described(after)]
    const content = `${who} changed the description for this channel.\n\n* **Old description:**\n${was}\n* **New description:**\n${is}`
    await say(tx, after, content)
  }
  if (privacyOf(after) !== privacyOf(before)) {
    const change = `from **${privacyOf(before)}** to **${privacyOf(after)}**`
    await say(tx, after, `${who} changed the access permissions for this channel ${change}.`)
  }
  const [mightSend, maySend] = [await sendersOf(tx, before), await sendersOf(tx, after)]
  if (maySend !== mightSend) {
    const content = `${who} changed the posting permissions for this channel:\n\n* **Old**: ${mightSend}.\n* **New**: ${maySend}.`
    await say(tx, after, content)
  }
  if (after.message_retention_days !== before.message_retention_days) {
    const [was, is] = [await retentionOf(tx, before), await retentionOf(tx, after)]
    const summary =
      is === FOREVER
        ? 'Messages in this channel will now be retained forever.'
        : `Messages in this channel will now be automatically deleted ${is} after they are sent.`
    const content = `${who} has changed the message retention period for this channel:\n\n* **Old retention period**: ${was}\n* **New retention period**: ${is}\n\n${summary}`
    await say(tx, after, content)
  }
}

/** Call it before the stream is archived, because nothing is sent to it afterwards. */
export const sayArchived = (tx: Tx, stream: Stream): Promise<void> =>
  say(tx, stream, `Channel ${streamLink(stream)} has been archived.`)

export const sayUnarchived = (tx: Tx, stream: Stream): Promise<void> =>
  say(tx, stream, `Channel ${streamLink(stream)} un-archived.`)

function privacyOf(stream: Stream): string {
  if (stream.is_web_public) return 'Web-public'
  if (!stream.invite_only) return 'Public'
  return stream.history_public_to_subscribers ? 'Private, shared history' : 'Private, protected history'
}

const described = ({ description }: Stream): string => quoted(description || '*No description.*')

const FOREVER = 'Forever'

async function retentionOf(tx: Tx, { message_retention_days: own }: Stream): Promise<string> {
  const days = own ?? (await settingsOf(tx)).message_retention_days
  return days === -1 ? FOREVER : `${days} days`
}

/** The users and groups who may post in a stream. */
async function sendersOf(tx: Tx, { settings }: Stream): Promise<string> {
  const value = groupSettingView(await groupGraph.get(tx), streamSetting(settings, 'can_send_message_group'))
  const { direct_members, direct_subgroups } =
    typeof value === 'object' ? value : { direct_members: [], direct_subgroups: [value] }
  const groups = await accessGroups(tx, direct_subgroups)
  const users = await findUsers(tx, direct_members)
  return listed([...groups.map(({ name }) => groupMention(name)), ...[...users.values()].map(silentMention)], ', ')
}
