import { useSignal } from '@preact/signals'
import { type Narrow, sentNarrow } from '../../../src/client/index.ts'
import { locale } from '../../model/state/language.ts'
import { goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { fieldTime } from '../../model/writing/scheduled.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { DialogFooter, openPopover, useDialogWork } from '../parts/dialog.tsx'
import { Problem } from '../parts/notices.tsx'
import { shortDate } from '../parts/times.ts'

/**
 * Asks for a day, and opens the first message of a narrow from that day on, or the newest one if it is older.
 *
 * @param day - The day proposed.
 */
export const openJumpToDate = (session: Session, narrow: Narrow, day = new Date()): void =>
  openPopover(pieceTexts.jumpToDate.title, <JumpToDate session={session} narrow={narrow} proposed={day} />)

interface JumpToDateProps {
  session: Session
  narrow: Narrow
  proposed: Date
}

function JumpToDate({ session, narrow, proposed }: JumpToDateProps) {
  const day = useSignal(dayOf(proposed))
  const { problem, run } = useDialogWork()
  const open = (find: () => Promise<number | undefined>) => {
    let found: number | undefined
    const look = async () => {
      found = await find()
      if (found === undefined) throw new Error(pieceTexts.jumpToDate.none)
    }
    void run(look).then((isThere) => isThere && goToNarrow(narrow, found))
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    open(() => firstFrom(session, narrow, new Date(`${day.value}T00:00`)))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      <ul>
        {usualDays().map(([label, date]) => (
          <li key={label}>
            <button type="button" class="row" onClick={() => open(() => firstFrom(session, narrow, date))}>
              <span class="name">{label}</span>
              <span class="quiet small">{shortDate(date)}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" class="row" onClick={() => open(() => oldest(session, narrow))}>
            <span class="name">{pieceTexts.jumpToDate.first}</span>
          </button>
        </li>
      </ul>
      <label>
        {pieceTexts.jumpToDate.day}
        <input
          type="date"
          required
          max={dayOf(new Date())}
          value={day.value}
          onInput={(event) => (day.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={pieceTexts.jumpToDate.action} />
    </form>
  )
}

/** A day as the field has it. */
const dayOf = (date: Date): string => fieldTime(date).slice(0, 'YYYY-MM-DD'.length)

/** "Yesterday", "Last week", "Last month", and when each began. */
function usualDays(): (readonly [label: string, date: Date])[] {
  const words = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })
  const now = new Date()
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  return (
    [
      ['day', new Date(year, month, day - 1)],
      ['week', new Date(year, month, day - 7)],
      ['month', new Date(year, month - 1, 1)],
    ] as const
  ).map(([unit, date]) => [sentenceCase(words.format(-1, unit)), date])
}

const sentenceCase = (text: string): string => text.charAt(0).toLocaleUpperCase(locale.value) + text.slice(1)

async function oldest({ client }: Session, narrow: Narrow): Promise<number | undefined> {
  const { messages } = await client.getMessages({
    narrow: sentNarrow(narrow),
    anchor: 'oldest',
    num_before: 0,
    num_after: 1,
    allow_empty_topic_name: true,
  })
  return messages[0]?.id
}

async function firstFrom({ client }: Session, narrow: Narrow, time: Date): Promise<number | undefined> {
  const window = { num_before: 1, num_after: 1, allow_empty_topic_name: true }
  const anchor_date = time.toISOString()
  const { messages, anchor } = await client.getMessages({
    narrow: sentNarrow(narrow),
    anchor: 'date',
    anchor_date,
    ...window,
  })
  return (messages.find(({ id }) => id >= anchor!) ?? messages.at(-1))?.id
}
