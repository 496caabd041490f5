import { nameOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { Content } from '../content/content.tsx'
import { openDialog } from '../parts/dialog.tsx'
import { fullTime } from '../parts/times.ts'
import { SessionProvider } from '../session-context.ts'

/** Shows how a message came to be what it is. */
export async function openHistory(session: Session, message_id: number): Promise<void> {
  const { message_history } = await session.client.getHistory({ message_id, allow_empty_topic_name: true })
  openDialog(
    'History',
    <SessionProvider value={session}>
      <ol class="history">
        {message_history.map(({ timestamp, user_id, content_html_diff, rendered_content, topic, prev_topic }, i) => (
          <li key={i}>
            <p class="quiet small">
              {user_id === null ? 'Somebody' : nameOf(session, user_id)}, {fullTime(new Date(timestamp * 1000))}
            </p>
            {prev_topic !== undefined && (
              <p>
                Moved from “{prev_topic}” to “{topic}”.
              </p>
            )}
            <Content html={content_html_diff ?? rendered_content} />
          </li>
        ))}
      </ol>
    </SessionProvider>,
  )
}
