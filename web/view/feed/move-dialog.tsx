import { useSignal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { conversationOf, narrowOf, streamName, topicName } from '../../model/reading/conversations.ts'
import { subscribersOf } from '../../model/reading/subscribers.ts'
import { topicsOf } from '../../model/reading/topics.ts'
import { current } from '../../model/state/account.ts'
import { goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { moveMessages, type Which } from '../../model/writing/edit.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { reasonOf } from '../parts/notices.tsx'

type StreamMessage = Extract<Message, { type: 'stream' }>

/** Asks where a message, or its topic, is to go. */
export function openMove(message: StreamMessage): void {
  openDialog('Move', <MoveForm message={message} />)
}

const choices: readonly [Which, string][] = [
  ['change_one', 'Only this message'],
  ['change_later', 'This message and those after it in the topic'],
  ['change_all', 'The whole topic'],
]

function MoveForm({ message }: { message: StreamMessage }) {
  const session = current.value
  const stream_id = useSignal(message.stream_id)
  const topic = useSignal(message.subject)
  const which = useSignal<Which>('change_all')
  const problem = useSignal('')
  const streams = session.read('streams').subscriptions.filter(({ is_archived }) => !is_archived)
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      await moveMessages(
        session,
        message.id,
        { stream_id: stream_id.value, topic: topic.value, which: which.value },
        message,
      )
      closeDialog()
      if (which.value === 'change_all') {
        goToNarrow(narrowOf({ type: 'stream', stream_id: stream_id.value, topic: topic.value }), message.id)
      }
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Stream
        <select value={stream_id.value} onChange={(event) => (stream_id.value = Number(event.currentTarget.value))}>
          {streams.map((stream) => (
            <option key={stream.stream_id} value={stream.stream_id}>
              {stream.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Topic
        <input
          list="move-topics"
          dir="auto"
          value={topic.value}
          onInput={(event) => (topic.value = event.currentTarget.value)}
        />
      </label>
      <datalist id="move-topics">
        {(topicsOf(session, stream_id.value).value ?? []).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <fieldset>
        <legend>What moves</legend>
        {choices.map(([value, label]) => (
          <label key={value} class="choice">
            <input type="radio" name="which" checked={which.value === value} onChange={() => (which.value = value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <p class="quiet">
        {messagesThatMove(session, message, which.value)} will be at {streamName(session.state, stream_id.value)} ›{' '}
        {topicName(topic.value, session.state)}, to be seen by {peopleOf(subscribersOf(session, stream_id.value).value)}
        .
      </p>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <footer>
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Move
        </button>
      </footer>
    </form>
  )
}

/** How many messages move, where all of them have been fetched; else in words. */
function messagesThatMove({ messages, state }: Session, message: StreamMessage, which: Which): string {
  if (which === 'change_one') return 'The message'
  const { spans } = messages.feed(narrowOf(conversationOf(message, state.user_id)))
  const whole = spans.find(({ from, to }) => from === 0 && to === Number.POSITIVE_INFINITY)
  if (!whole) return which === 'change_all' ? 'All messages of the topic' : 'The message and those after it'
  const count = whole.ids.filter((id) => which === 'change_all' || id >= message.id).length
  return count === 1 ? 'One message' : `${count} messages`
}

/** "the 40 people of the stream". */
export const peopleOf = ({ size }: ReadonlySet<number>): string =>
  size === 0 ? 'the people of the stream' : size === 1 ? 'one person' : `${size} people`
