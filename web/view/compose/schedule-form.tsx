import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Session } from '../../model/state/session.ts'
import { fieldTime, sendAt, usualTimes } from '../../model/writing/scheduled.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { DialogFooter, openPopover, useDialogWork } from '../parts/dialog.tsx'
import { Problem } from '../parts/notices.tsx'
import { dateAndTime } from '../parts/times.ts'

interface ScheduleFormProps {
  /** The current text, if it can be changed too. */
  text?: string
  /** The label of the text. */
  label?: string
  /** The current time. */
  at?: Date
  hours24: boolean
  action: string
  save(at: Date, text: string): Promise<unknown>
}

/** Asks when to send a message. */
export const openSchedule = (title: string, props: ScheduleFormProps): void =>
  openPopover(title, <ScheduleForm {...props} />)

/** Asks when to send the composer's message. */
export const openSendLater = (session: Session): void =>
  openSchedule(pieceTexts.schedule.sendLater, {
    hours24: session.state.user_settings.twenty_four_hour_time,
    action: pieceTexts.schedule.action,
    save: (at) => sendAt(session, at),
  })

function ScheduleForm({ text, label = texts.compose.message, at, hours24, action, save }: ScheduleFormProps) {
  // “In an hour” stays the same time when it is read again.
  const [now] = useState(() => new Date())
  const [proposed] = useState(() => at ?? new Date(now.getTime() + 3_600_000))
  const chosen = useSignal(fieldTime(proposed))
  const written = useSignal(text ?? '')
  const { problem, run } = useDialogWork()
  const submit = (time: Date) => void run(() => save(time, written.value))
  const onSubmit = (event: Event) => {
    event.preventDefault()
    // The field knows no seconds, and of the hour that the end of summer time repeats only the first.
    submit(chosen.value === fieldTime(proposed) ? proposed : new Date(chosen.value))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      {text !== undefined && (
        <label>
          {label}
          <textarea
            rows={at ? 4 : 2}
            value={written.value}
            onInput={(event) => (written.value = event.currentTarget.value)}
          />
        </label>
      )}
      {at === undefined && (
        <ul>
          {usualTimes(now).map(({ label, at: time }) => (
            <li key={label}>
              <button type="button" class="row" onClick={() => submit(time)}>
                <span class="name">{label}</span>
                <span class="quiet small">{dateAndTime(time, hours24)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <label>
        {at === undefined ? pieceTexts.schedule.customTime : pieceTexts.schedule.sendAt}
        <input
          type="datetime-local"
          required
          min={fieldTime(now)}
          value={chosen.value}
          onInput={(event) => (chosen.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={action} />
    </form>
  )
}
