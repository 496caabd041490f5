import { useSignal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { pollOf } from '../../model/reading/poll.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

interface PollProps {
  message: Message
  data: { question?: string; options?: string[] } | undefined
}

/** A question with answers to choose from; anybody may add one. */
export function Poll({ message, data }: PollProps) {
  const session = useSession()
  const own = session.state.user_id
  const added = useSignal('')
  const { question, options } = pollOf(message.sender_id, data, message.submessages.slice(1))
  const say = (step: object) =>
    attempt(() =>
      session.client.addSubmessage({ message_id: message.id, msg_type: 'widget', content: JSON.stringify(step) }),
    )
  const add = (event: Event) => {
    event.preventDefault()
    const option = added.value.trim()
    if (option === '' || options.some(({ text }) => text === option)) return
    const idx = options.filter(({ key }) => key.startsWith(`${own},`)).length + 1
    say({ type: 'new_option', idx, option })
    added.value = ''
  }
  return (
    <section class="widget poll" aria-label={`Poll: ${question}`}>
      <p class="widget-title">{question || 'Poll'}</p>
      <ul>
        {options.map(({ key, text, voters }) => {
          const isOwn = voters.includes(own)
          const names = voters.map((id) => nameOf(session, id)).join(', ')
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={isOwn}
                onClick={() => say({ type: 'vote', key, vote: isOwn ? -1 : 1 })}
              >
                {voters.length}
                <span class="hidden"> votes for {text}</span>
              </button>
              <span>{text}</span>
              {names && <span class="quiet small">{names}</span>}
            </li>
          )
        })}
      </ul>
      <form onSubmit={add}>
        <input
          aria-label="Another answer"
          placeholder="Another answer"
          value={added.value}
          onInput={(event) => (added.value = event.currentTarget.value)}
        />
        <button type="submit">Add</button>
      </form>
    </section>
  )
}
