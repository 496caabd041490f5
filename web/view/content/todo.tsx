import type { Message } from '../../../src/client/index.ts'
import { tasksOf } from '../../model/reading/poll.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { SaveState } from '../parts/field.tsx'
import { useShown } from '../parts/use-saving.ts'
import { useSession } from '../session-context.ts'
import { AddLine } from './add-line.tsx'
import { sayIn, useNumber } from './steps.ts'

interface TodoProps {
  message: Message
  data: { task_list_title?: string; tasks?: { task: string; desc: string }[] } | undefined
}

/** A list of tasks. Anyone can add a task or check one off. */
export function Todo({ message, data }: TodoProps) {
  const session = useSession()
  const own = session.state.user_id
  const readOnly = isReadOnly(session)
  const { title, tasks } = tasksOf(message.sender_id, data, message.submessages.slice(1))
  const say = sayIn(session, message)
  const next = useNumber(tasks.filter(({ key }) => key.endsWith(`,${own}`)).length)
  const add = (task: string) => say({ type: 'new_task', key: next(), task, desc: '', completed: false })
  return (
    <section class="widget todo" aria-label={pieceTexts.widgets.tasks(title)}>
      <p class="widget-title">{title}</p>
      <ul>
        {tasks.map((task) => (
          <TaskLine
            key={task.key}
            task={task}
            readOnly={readOnly}
            strike={() => say({ type: 'strike', key: task.key })}
          />
        ))}
      </ul>
      {!readOnly && <AddLine label={pieceTexts.widgets.addTask} add={add} />}
    </section>
  )
}

interface TaskProps {
  task: ReturnType<typeof tasksOf>['tasks'][number]
  readOnly: boolean
  /** Ticks it off; where that is done already, takes the tick back. */
  strike(): Promise<unknown>
}

function TaskLine({ task: { text, about, done }, readOnly, strike }: TaskProps) {
  const { shown, problem, run } = useShown(done, async (now, before) => now !== before && strike())
  return (
    <li>
      <label class={shown.value ? 'done' : ''}>
        <input
          type="checkbox"
          checked={shown.value}
          disabled={readOnly}
          // The checkbox itself may be drawn again, unchanged, with the row that the click selects.
          onChange={() => run(!shown.value)}
        />
        <span>{text}</span>
        {about && <span class="quiet small">{about}</span>}
      </label>
      <SaveState problem={problem.value} saved={false} />
    </li>
  )
}
