import { useSignal } from '@preact/signals'
import { type Narrow, sentNarrow } from '../../../src/client/index.ts'
import { goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { fieldTime } from '../../model/writing/scheduled.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { DialogFooter, openPopover, useDialogWork } from '../parts/dialog.tsx'
import { Problem } from '../parts/notices.tsx'

/** Asks for a day, and opens the first message of a narrow from that day on, or the newest one if it is older. */
export const openJumpToDate = (session: Session, narrow: Narrow): void =>
  openPopover(pieceTexts.jumpToDate.title, <JumpToDate session={session} narrow={narrow} />)

function JumpToDate({ session, narrow }: { session: Session; narrow: Narrow }) {
  const today = fieldTime(new Date()).slice(0, 'YYYY-MM-DD'.length)
  const day = useSignal(today)
  const { problem, run } = useDialogWork()
  const onSubmit = (event: Event) => {
    event.preventDefault()
    let found: number | undefined
    const find = async () => {
      found = await firstFrom(session, narrow, new Date(`${day.value}T00:00`))
      if (found === undefined) throw new Error(pieceTexts.jumpToDate.none)
    }
    void run(find).then((isThere) => isThere && goToNarrow(narrow, found))
  }
  return (
    <form class="schedule" onSubmit={onSubmit}>
      <label>
        {pieceTexts.jumpToDate.day}
        <input
          type="date"
          required
          max={today}
          value={day.value}
          onInput={(event) => (day.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={pieceTexts.jumpToDate.action} />
    </form>
  )
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
