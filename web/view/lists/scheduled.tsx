import { whereOf } from '../../model/finding/where.ts'
import { addressOf } from '../../model/reading/conversations.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { type Scheduled, scheduledConversation } from '../../model/writing/scheduled.ts'
import { confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { fullTime, shortDate, shortTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'
import { walkRows } from './walk-rows.ts'

/** What is to be sent later, the next first. */
export function ScheduledList() {
  const session = useSession()
  const { client } = session
  const { scheduled_messages, user_id } = session.read('scheduled', 'streams', 'users')
  const hours24 = session.read('settings').user_settings.twenty_four_hour_time
  const sorted = [...scheduled_messages].sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
  const change = ({ scheduled_message_id, content, scheduled_delivery_timestamp }: Scheduled) =>
    attempt(async () => {
      const { openSchedule } = await loadPart(() => import('../compose/schedule-form.tsx'))
      openSchedule('Change what is sent later', {
        text: content,
        at: new Date(scheduled_delivery_timestamp * 1000),
        hours24,
        action: 'Save',
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
      title: 'Do not send it',
      text: 'The message is deleted, and is not sent.',
      action: 'Delete',
      run: () => client.deleteScheduledMessage({ scheduled_message_id }),
    })
  return (
    <ListPage title="Scheduled messages">
      {sorted.length === 0 && (
        <Nothing>Nothing is scheduled. The clock below what you write has it sent at a time of your choice.</Nothing>
      )}
      <ul class="drafts" onKeyDown={walkRows}>
        {sorted.map((message) => {
          const conversation = scheduledConversation(message, user_id)
          const at = new Date(message.scheduled_delivery_timestamp * 1000)
          return (
            <li key={message.scheduled_message_id}>
              <a class="row walked" href={addressOf(conversation, session.state)}>
                <span class="name">
                  <span class="quiet small">{whereOf(session, conversation)}</span>
                  <span class="text">{message.content}</span>
                </span>
                <span class={message.failed ? 'problem small' : 'quiet small'} title={fullTime(at)}>
                  {message.failed ? 'could not be sent' : `${shortDate(at)}, ${shortTime(at, hours24)}`}
                </span>
              </a>
              <button
                type="button"
                class="icon-button"
                aria-label="Change it"
                title="Change it"
                onClick={() => change(message)}
              >
                <Icon name="pencil" />
              </button>
              <button
                type="button"
                class="icon-button"
                aria-label="Do not send it"
                title="Do not send it"
                onClick={() => cancel(message)}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ul>
    </ListPage>
  )
}
