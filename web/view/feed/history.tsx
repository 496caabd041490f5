import { streamName, topicName } from '../../model/reading/conversations.ts'
import { nameOf } from '../../model/reading/people.ts'
import { isolated } from '../../model/state/isolated.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { openPopover } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { SessionProvider } from '../session-context.ts'

/** A topic, with its stream where that is another one. */
function placeOf({ state }: Session, stream_id: number | undefined, topic = ''): string {
  const name = isolated(topicName(topic, state))
  return stream_id === undefined
    ? name
    : `${isolated(streamName(state, stream_id) ?? texts.common.unknownChannel)} › ${name}`
}

/** Shows the edit history of a message, beside what opened it. */
export async function openHistory(session: Session, message_id: number): Promise<void> {
  const { message_history } = await session.client.getHistory({ message_id, allow_empty_topic_name: true })
  openPopover(
    pageTexts.history.title,
    <SessionProvider value={session}>
      <ol class="history">
        {message_history.map(({ timestamp, user_id, content_html_diff, rendered_content, ...moved }, i) => (
          <li key={i}>
            <p class="quiet small">
              <bdi>{user_id === null ? pageTexts.history.someone : nameOf(session, user_id)}</bdi>,{' '}
              <Moment seconds={timestamp} />
            </p>
            {(moved.prev_topic !== undefined || moved.prev_stream !== undefined) && (
              <p>
                {pageTexts.history.moved(
                  placeOf(session, moved.prev_stream, moved.prev_topic ?? moved.topic),
                  placeOf(session, moved.stream ?? undefined, moved.topic),
                )}
              </p>
            )}
            <Content html={content_html_diff ?? rendered_content} />
          </li>
        ))}
      </ol>
    </SessionProvider>,
  )
}
