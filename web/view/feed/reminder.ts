import type { Message } from '../../../src/client/index.ts'
import { loadPart } from '../../model/state/load-part.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { notify } from '../parts/notices.tsx'

/** Asks when to remind the reader of a message, and takes a note. */
export async function openReminder(session: Session, { id }: Message): Promise<void> {
  const { openSchedule } = await loadPart(() => import('../compose/schedule-form.tsx'))
  openSchedule(pageTexts.reminders.create, {
    text: '',
    label: pageTexts.reminders.note,
    hours24: session.state.user_settings.twenty_four_hour_time,
    action: pageTexts.reminders.action,
    save: async (at, note) => {
      const scheduled_delivery_timestamp = Math.floor(at.getTime() / 1000)
      await session.client.createReminder({ message_id: id, scheduled_delivery_timestamp, note })
      notify(pageTexts.reminders.set)
    },
  })
}
