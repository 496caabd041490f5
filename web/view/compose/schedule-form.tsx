import { useSignal } from '@preact/signals'
import { fieldTime, usualTimes } from '../../model/writing/scheduled.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { reasonOf } from '../parts/notices.tsx'
import { shortDate, shortTime } from '../parts/times.ts'

interface ScheduleFormProps {
  /** Where the text can be changed too: as it is. */
  text?: string
  /** When it is sent so far. */
  at?: Date
  hours24: boolean
  action: string
  save(at: Date, text: string): Promise<unknown>
}

/** Asks when a message is to be sent. */
export const openSchedule = (title: string, props: ScheduleFormProps): void =>
  openDialog(title, <ScheduleForm {...props} />)

function ScheduleForm({ text, at, hours24, action, save }: ScheduleFormProps) {
  const now = new Date()
  const chosen = useSignal(fieldTime(at ?? new Date(now.getTime() + 3_600_000)))
  const written = useSignal(text ?? '')
  const problem = useSignal('')
  const submit = async (time: Date) => {
    try {
      await save(time, written.value)
      closeDialog()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void submit(new Date(chosen.value))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      {text !== undefined && (
        <label>
          Message
          <textarea rows={4} value={written.value} onInput={(event) => (written.value = event.currentTarget.value)} />
        </label>
      )}
      {at === undefined && (
        <ul>
          {usualTimes(now).map(({ label, at: time }) => (
            <li key={label}>
              <button type="button" class="row" onClick={() => void submit(time)}>
                <span class="name">{label}</span>
                <span class="quiet small">
                  {shortDate(time)}, {shortTime(time, hours24)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <label>
        {at === undefined ? 'Or at' : 'To be sent at'}
        <input
          type="datetime-local"
          required
          min={fieldTime(now)}
          value={chosen.value}
          onInput={(event) => (chosen.value = event.currentTarget.value)}
        />
      </label>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <footer>
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="primary">
          {action}
        </button>
      </footer>
    </form>
  )
}
