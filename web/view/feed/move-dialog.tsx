import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { isAllowed, type Message } from '../../../src/client/index.ts'
import { audienceOf } from '../../model/reading/audience.ts'
import { conversationOf, narrowOf, streamName, topicName } from '../../model/reading/conversations.ts'
import { subscribersOf } from '../../model/reading/subscribers.ts'
import { isolated } from '../../model/state/isolated.ts'
import { goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { moveMessages, type Which } from '../../model/writing/moving.ts'
import { mayMoveToStream, mayMoveToTopic } from '../../model/writing/rights.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { TopicInput } from '../compose/topic-input.tsx'
import { DialogFooter, openDialog, useDialogWork } from '../parts/dialog.tsx'
import { Problem } from '../parts/notices.tsx'
import { SessionProvider, useSession } from '../session-context.ts'

type StreamMessage = Extract<Message, { type: 'stream' }>

/** Asks where a message, or its topic, is to go. */
export function openMove(session: Session, message: StreamMessage): void {
  openDialog(
    pageTexts.move.title,
    <SessionProvider value={session}>
      <MoveForm message={message} />
    </SessionProvider>,
  )
}

const choices: readonly [Which, string][] = [
  ['change_one', pageTexts.move.one],
  ['change_later', pageTexts.move.later],
  ['change_all', pageTexts.move.all],
]

function MoveForm({ message }: { message: StreamMessage }) {
  const session = useSession()
  const id = useId()
  const stream_id = useSignal(message.stream_id)
  const topic = useSignal(message.subject)
  const which = useSignal<Which>('change_all')
  const { problem, run } = useDialogWork()
  const state = session.read('streams', 'groups', 'organization', 'users')
  const streams = state.subscriptions.filter(
    (one) => one.stream_id === message.stream_id || (!one.is_archived && isAllowed(state, one.can_send_message_group)),
  )
  const submit = async (event: Event) => {
    event.preventDefault()
    const to = { stream_id: stream_id.value, topic: topic.value, which: which.value }
    const isDone = await run(() => moveMessages(session, message.id, to, message))
    if (isDone && to.which === 'change_all') goToNarrow(narrowOf({ type: 'stream', ...to }), message.id)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      {mayMoveToStream(session, message) && (
        <label>
          {pageTexts.common.channel}
          <select value={stream_id.value} onChange={(event) => (stream_id.value = Number(event.currentTarget.value))}>
            {streams.map((stream) => (
              <option key={stream.stream_id} value={stream.stream_id}>
                {stream.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {mayMoveToTopic(session, message) && (
        <div class="labeled">
          <label for={id}>{texts.compose.topic}</label>
          <TopicInput
            inputId={id}
            stream_id={stream_id.value}
            topic={topic.value}
            onChange={(name) => (topic.value = name)}
          />
        </div>
      )}
      <fieldset>
        <legend>{pageTexts.move.scope}</legend>
        {choices.map(([value, label]) => (
          <label key={value} class="choice">
            <input type="radio" name="which" checked={which.value === value} onChange={() => (which.value = value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <p class="quiet">
        {pageTexts.move.summary(
          messagesThatMove(session, message, which.value),
          isolated(streamName(session.state, stream_id.value) ?? ''),
          isolated(topicName(topic.value, session.state)),
          audienceOf(subscribersOf(session, stream_id.value).value),
        )}
      </p>
      <Problem of={problem} />
      <DialogFooter action={pageTexts.move.action} />
    </form>
  )
}

/** How many messages move, where all of them have been fetched; else in words. */
function messagesThatMove({ messages, state }: Session, message: StreamMessage, which: Which): string {
  if (which === 'change_one') return pageTexts.move.thisMessage
  const { spans } = messages.feed(narrowOf(conversationOf(message, state.user_id)))
  const whole = spans.find(({ from, to }) => from === 0 && to === Number.POSITIVE_INFINITY)
  if (!whole) return which === 'change_all' ? pageTexts.move.allMessages : pageTexts.move.laterMessages
  const count = whole.ids.filter((id) => which === 'change_all' || id >= message.id).length
  return pageTexts.move.messages(count)
}
