// The library's types as a strict project uses them, without a cast. `@ts-expect-error` marks what must not
// compile.
import {
  actAs,
  type Caller,
  type ChatEvent,
  createOrganization,
  type DirectMessage,
  getEvents,
  getHistory,
  getMessages,
  getOwnUser,
  listStreams,
  listUsers,
  type Message,
  openChat,
  type RegisterState,
  register,
  type StreamMessage,
  sendMessage,
  subscribeToEvents,
  updateOrganization,
} from 'chat-server'

/** The recipient of a message: a union discriminated by `type`. */
function placeOf(message: Message): string {
  if (message.type === 'stream') {
    const inStream: StreamMessage = message
    return `#${inStream.display_recipient} > ${inStream.subject}`
  }
  const direct: DirectMessage = message
  return direct.display_recipient.map((person) => person.full_name).join(', ')
}

/** A description of an event: a union discriminated by `type` and `op`. */
function textOf(event: ChatEvent): string {
  switch (event.type) {
    case 'message':
      return event.message.type === 'stream' ? event.message.subject : event.message.sender_full_name
    case 'reaction':
      return `${event.op} ${event.emoji_name} ${event.user_id.toFixed()}`
    case 'stream':
      return event.op === 'update' ? `${event.property} ${event.name}` : String(event.streams.length)
    case 'realm_user':
      if (event.op === 'add') return event.person.full_name
      return 'full_name' in event.person ? event.person.full_name : String(event.person.user_id)
    case 'user_group':
      return event.op === 'add' ? event.group.name : String(event.group_id)
    case 'heartbeat':
      return String(event.id)
    // @ts-expect-error there is no event of this type
    case 'banana':
      return ''
    default:
      return event.type
  }
}

/** Members of register's answer. */
function greetingOf(state: RegisterState): string {
  const topics: boolean | undefined = state.realm_mandatory_topics
  const streams = state.streams?.map((stream) => stream.name.toUpperCase()) ?? []
  // @ts-expect-error a misspelt member
  state.realm_mandatory_topic
  return `${state.zulip_feature_level} ${topics} ${streams.join()} ${state.unread_msgs?.pms[0]?.other_user_id}`
}

async function converse(caller: Caller): Promise<string[]> {
  const { id } = await sendMessage(caller, { type: 'stream', to: 'general', topic: 'types', content: 'hello' })
  // @ts-expect-error messages are of no such type
  await sendMessage(caller, { type: 'banana', to: 'general', topic: 'types', content: 'hello' }).catch(() => {})
  // @ts-expect-error a message has content
  await sendMessage(caller, { type: 'stream', to: 'general', topic: 'types' }).catch(() => {})

  await updateOrganization(caller, { presence_disabled: true })
  // @ts-expect-error a setting that is on or off
  await updateOrganization(caller, { presence_disabled: 'perhaps' }).catch(() => {})
  const { messages } = await getMessages(caller, { anchor: id, num_before: 1, num_after: 0 })
  const { message_history } = await getHistory(caller, { message_id: id })
  const { members } = await listUsers(caller)
  const { streams } = await listStreams(caller, { include_default: true })
  const own = await getOwnUser(caller)
  const { queue_id, last_event_id, ...state } = await register(caller, { event_types: ['message'] })
  await sendMessage(caller, { type: 'direct', to: [own.user_id], content: 'hello, myself' })
  const { events } = await getEvents(caller, { queue_id, last_event_id })
  return [
    ...messages.map(placeOf),
    ...message_history.map((snapshot) => snapshot.content),
    ...members.map((user) => `${user.full_name} ${user.role}`),
    ...streams.map((stream) => `${stream.name} ${stream.is_default ?? false}`),
    ...events.map(textOf),
    greetingOf(state),
  ]
}

/** Only events of the requested types. */
export async function firstMessage(caller: Caller): Promise<string> {
  for await (const event of subscribeToEvents(caller, { types: ['message'] })) return event.message.content
  return ''
}

await using chat = await openChat()
const { email } = await createOrganization(chat, { org: 'Types', owner_email: 'o@example.com', owner_name: 'Owner' })
console.log((await converse(await actAs(chat, { email }))).length > 5)
