import { type ReadonlySignal, signal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { conversationKey, conversationOf } from '../reading/conversations.ts'
import { perSession } from '../state/session.ts'

/** How many of the reader's messages are looked at. */
const LOOKED_AT = 1000

interface OwnConversations {
  /** Keys of conversations. */
  keys: ReadonlySignal<ReadonlySet<string>>
  /** Asks the server once for the reader's newest messages. Later ones are added as they are sent. */
  load(): Promise<void>
}

/** The conversations that the reader has written in. */
export const ownConversations = perSession((session): OwnConversations => {
  const keys = signal<ReadonlySet<string>>(new Set())
  let loading: Promise<void> | undefined
  const add = (messages: readonly Message[]) => {
    const added = messages.map((one) => conversationKey(conversationOf(one, session.state.user_id)))
    keys.value = new Set([...keys.value, ...added])
  }
  session.live.onChange((change) => {
    if (change.type !== 'event' || change.event.type !== 'message') return
    if (change.event.message.sender_id === session.state.user_id) add([change.event.message as Message])
  })
  const ask = async () => {
    const { messages } = await session.client.getMessages({
      narrow: [{ operator: 'sender', operand: session.state.user_id }],
      anchor: 'newest',
      num_before: LOOKED_AT,
      num_after: 0,
      apply_markdown: false,
      allow_empty_topic_name: true,
      client_gravatar: true,
    })
    add(messages)
  }
  return {
    keys,
    async load() {
      loading ??= ask()
      try {
        await loading
      } catch (error) {
        loading = undefined
        throw error
      }
    },
  }
})
