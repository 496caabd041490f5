import { topicsOf } from '../../model/reading/topics.ts'
import { retarget, target } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'
import { PeopleInput } from './people-input.tsx'

/** Who it is for: a stream and a topic, or people. */
export function Recipients() {
  const session = useSession()
  const to = target.value
  if (!to) return null
  const { subscriptions } = session.read('streams')
  const setKind = (kind: string) => {
    if (kind === 'direct') retarget({ type: 'direct', user_ids: [] })
    else retarget({ type: 'stream', stream_id: Number(kind), topic: to.type === 'stream' ? to.topic : '' })
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
        <>
          <input
            list="compose-topics"
            aria-label={texts.compose.topic}
            placeholder={texts.compose.topic}
            dir="auto"
            maxLength={session.state.max_topic_length}
            data-filled={to.topic === '' ? undefined : ''}
            value={to.topic}
            onInput={(event) => retarget({ ...to, topic: event.currentTarget.value })}
          />
          <datalist id="compose-topics">
            {(topicsOf(session, to.stream_id).value ?? []).map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      ) : (
        <PeopleInput user_ids={to.user_ids} onChange={(user_ids) => retarget({ type: 'direct', user_ids })} />
      )}
    </div>
  )
}
