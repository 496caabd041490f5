import { composerOf, retarget } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'
import { PeopleInput } from './people-input.tsx'
import { TopicInput } from './topic-input.tsx'

/** Who it is for: a stream and a topic, or people. */
export function Recipients() {
  const session = useSession()
  const to = composerOf(session).target.value
  if (!to) return null
  const { subscriptions } = session.read('streams')
  const setKind = (kind: string) => {
    if (kind === 'direct') retarget(session, { type: 'direct', user_ids: [] })
    else retarget(session, { type: 'stream', stream_id: Number(kind), topic: to.type === 'stream' ? to.topic : '' })
  }
  return (
    <div class="recipients">
      <select
        aria-label={texts.compose.channelOrDirect}
        value={to.type === 'stream' ? String(to.stream_id) : 'direct'}
        onChange={(event) => setKind(event.currentTarget.value)}
      >
        <option value="direct">{texts.compose.directMessage}</option>
        {subscriptions
          .filter(({ is_archived }) => !is_archived)
          .map(({ stream_id, name }) => (
            <option key={stream_id} value={String(stream_id)}>
              # {name}
            </option>
          ))}
      </select>
      {to.type === 'stream' ? (
        <TopicInput
          stream_id={to.stream_id}
          topic={to.topic}
          onChange={(topic) => retarget(session, { ...to, topic })}
          label={texts.compose.topic}
        />
      ) : (
        <PeopleInput user_ids={to.user_ids} onChange={(user_ids) => retarget(session, { type: 'direct', user_ids })} />
      )}
    </div>
  )
}
