import type { ClientState } from '../../../src/client/index.ts'
import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf } from '../../model/reading/conversations.ts'
import { nameOf } from '../../model/reading/people.ts'
import { previewOf } from '../../model/reading/previews.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { type Scheduled, scheduledConversation } from '../../model/writing/scheduled.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { confirm } from '../parts/confirm.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { attempt } from '../parts/notices.tsx'
import { dateAndTime, fullTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { HeldList } from './held.tsx'
import { ListPage } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

/** The scheduled messages and the reminders, the next first. */
export function ScheduledList() {
  const session = useSession()
  const { client } = session
  const { scheduled_messages, reminders, user_id } = session.read('scheduled', 'streams', 'users')
  const hours24 = session.read('settings').user_settings.twenty_four_hour_time
  const sorted = [...scheduled_messages].sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
  const change = ({ scheduled_message_id, content, scheduled_delivery_timestamp }: Scheduled) =>
    attempt(async () => {
      const { openSchedule } = await loadPart(() => import('../compose/schedule-form.tsx'))
      openSchedule(pageTexts.scheduled.editTitle, {
        text: content,
        at: new Date(scheduled_delivery_timestamp * 1000),
        hours24,
        action: texts.common.save,
        save: (at, text) =>
          client.updateScheduledMessage({
            scheduled_message_id,
            content: text,
            scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
          }),
      })
    })
  const cancel = ({ scheduled_message_id }: Scheduled) =>
    confirm({
      title: pageTexts.scheduled.cancelTitle,
      text: pageTexts.scheduled.cancelText,
      action: pageTexts.scheduled.cancelAction,
      run: () => client.deleteScheduledMessage({ scheduled_message_id }),
    })
  return (
    <ListPage title={texts.places.scheduled}>
      {sorted.length + reminders.length === 0 && <Nothing icon="clock">{pageTexts.scheduled.empty}</Nothing>}
      <ul class="drafts" onKeyDown={moveAmongRows}>
        {sorted.map((message) => {
          const conversation = scheduledConversation(message, user_id)
          const at = new Date(message.scheduled_delivery_timestamp * 1000)
          return (
            <li key={message.scheduled_message_id}>
              <a class="row walked" href={addressOf(conversation, session.state)}>
                <span class="name">
                  <span class="quiet small">{conversationLabel(session, conversation)}</span>
                  <span class="text">{message.content}</span>
                </span>
                <span class={message.failed ? 'problem small' : 'quiet small'} title={fullTime(at)}>
                  {message.failed ? pageTexts.scheduled.failed : dateAndTime(at, hours24)}
                </span>
              </a>
              <IconButton icon="pencil" label={pageTexts.scheduled.edit} onClick={() => change(message)} />
              <IconButton icon="close" label={pageTexts.scheduled.cancelAction} onClick={() => cancel(message)} />
            </li>
          )
        })}
      </ul>
      <Reminders />
      <HeldList />
    </ListPage>
  )
}

type Reminder = ClientState['reminders'][number]

function Reminders() {
  const { reminders } = useSession().read('scheduled')
  if (reminders.length === 0) return null
  const sorted = [...reminders].sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
  return (
    <section aria-labelledby="reminders">
      <h2 id="reminders">{pageTexts.reminders.title}</h2>
      <ul class="drafts" onKeyDown={moveAmongRows}>
        {sorted.map((reminder) => (
          <ReminderRow key={reminder.reminder_id} reminder={reminder} />
        ))}
      </ul>
    </section>
  )
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const session = useSession()
  const { reminder_id, reminder_target_message_id: id, scheduled_delivery_timestamp, failed } = reminder
  const hours24 = session.read('settings').user_settings.twenty_four_hour_time
  const at = new Date(scheduled_delivery_timestamp * 1000)
  const preview = previewOf(session, id)
  const cancel = () =>
    confirm({
      title: pageTexts.reminders.cancelTitle,
      text: pageTexts.reminders.cancelText,
      action: pageTexts.reminders.cancel,
      run: () => session.client.deleteReminder({ reminder_id }),
    })
  return (
    <li>
      <a class="row walked" href={narrowAddress([{ operator: 'id', operand: id }], id)}>
        <span class="name">
          <span class="quiet small">{preview && nameOf(session, preview.sender_id, preview.sender_full_name)}</span>
          <span class="text">{preview?.text}</span>
        </span>
        <span class={failed ? 'problem small' : 'quiet small'} title={fullTime(at)}>
          {failed ? pageTexts.reminders.failed : dateAndTime(at, hours24)}
        </span>
      </a>
      <IconButton icon="close" label={pageTexts.reminders.cancel} onClick={cancel} />
    </li>
  )
}
