import { useSignal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { topicsOf } from '../../model/reading/topics.ts'
import { current } from '../../model/state/account.ts'
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
  const { subscriptions } = session.read('streams')
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
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Stream
        <select value={stream_id.value} onChange={(event) => (stream_id.value = Number(event.currentTarget.value))}>
          {subscriptions.map((stream) => (
            <option key={stream.stream_id} value={stream.stream_id}>
              {stream.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Topic
        <input list="move-topics" value={topic.value} onInput={(event) => (topic.value = event.currentTarget.value)} />
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
