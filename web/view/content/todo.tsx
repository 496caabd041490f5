import { useSignal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { tasksOf } from '../../model/reading/poll.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

interface TodoProps {
  message: Message
  data: { task_list_title?: string; tasks?: { task: string; desc: string }[] } | undefined
}

/** A list of tasks that everybody may add to and tick off. */
export function Todo({ message, data }: TodoProps) {
  const session = useSession()
  const own = session.state.user_id
  const added = useSignal('')
  const { title, tasks } = tasksOf(message.sender_id, data, message.submessages.slice(1))
  const say = (step: object) =>
    attempt(() =>
      session.client.addSubmessage({ message_id: message.id, msg_type: 'widget', content: JSON.stringify(step) }),
    )
  const add = (event: Event) => {
    event.preventDefault()
    const task = added.value.trim()
    if (task === '') return
    const own_tasks = tasks.filter(({ key }) => key.endsWith(`,${own}`)).length
    say({ type: 'new_task', key: own_tasks + 1, task, desc: '', completed: false })
    added.value = ''
  }
  return (
    <section class="widget todo" aria-label={`Tasks: ${title}`}>
      <p class="widget-title">{title}</p>
      <ul>
        {tasks.map(({ key, text, about, done }) => (
          <li key={key}>
            <label class={done ? 'done' : ''}>
              <input type="checkbox" checked={done} onChange={() => say({ type: 'strike', key })} />
              <span>{text}</span>
              {about && <span class="quiet small">{about}</span>}
            </label>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <input
          aria-label="Another task"
          placeholder="Another task"
          value={added.value}
          onInput={(event) => (added.value = event.currentTarget.value)}
        />
        <button type="submit">Add</button>
      </form>
    </section>
  )
}
